package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/valyala/fasthttp"
)

// target is a path to ask of one server.
type target struct {
	url    string
	key    string // none: a baseline
	expect int    // bytes of the body
}

// row is one line of the table: the service against both baselines.
type row struct {
	name                string
	service, pgx, bytes target
}

// measureReads asks the service and the baselines in turn, round by round, so
// that a slow moment of the machine meets all of them.
func (w *world) measureReads(ctx context.Context, options options) error {
	service, baseline, err := w.startServers(ctx)
	if err != nil {
		return err
	}
	rows, err := w.readRows(ctx, service, baseline)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "reads\trequests/s\t(a) by hand on pgx\tratio to (a)\t(b) bare bytes\tratio to (b)\t")
	rates := map[string]float64{}
	for _, row := range rows {
		var own, byHand, bare []float64
		for range options.rounds {
			for _, measured := range []struct {
				target target
				into   *[]float64
			}{{row.service, &own}, {row.pgx, &byHand}, {row.bytes, &bare}} {
				rate, err := ask(ctx, measured.target, options)
				if err != nil {
					return fmt.Errorf("%s: %w", row.name, err)
				}
				*measured.into = append(*measured.into, rate)
			}
		}
		rates[row.name] = median(own)
		fmt.Fprintf(table, "%s\t%.0f\t%.0f\t%.2f\t%.0f\t%.2f\t\n", row.name, median(own), median(byHand),
			medianRatio(own, byHand), median(bare), medianRatio(own, bare))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Printf("\ntime of a page %d rows deep to one at the start: ratio %.2f\n", w.depth(), rates[rowFirst]/rates[rowDeep])
	return nil
}

const (
	rowFirst = "50 transactions, at the start"
	rowDeep  = "50 transactions, deep"
)

// depth is how many rows of the big company lie before the deep page.
func (w *world) depth() int { return w.records / bigCompanyShare * 9 / 10 }

func (w *world) startServers(ctx context.Context) (service, baseline string, err error) {
	if service, err = freeAddress(); err != nil {
		return "", "", err
	}
	command := exec.CommandContext(ctx, w.dispo, "serve", "--listen", service, "--log-level", "warn")
	command.Env = w.environment("DISPO_LIMIT_MINUTE=1000000000", "DISPO_LIMIT_HOUR=1000000000")
	if err := w.start(ctx, service, command); err != nil {
		return "", "", err
	}
	if baseline, err = freeAddress(); err != nil {
		return "", "", err
	}
	self, err := os.Executable()
	if err != nil {
		return "", "", err
	}
	return service, baseline, w.start(ctx, baseline, exec.CommandContext(ctx, self, "serve-baseline", baseline, w.server.URL()))
}

func (w *world) readRows(ctx context.Context, service, baseline string) ([]row, error) {
	conn, err := pgx.Connect(ctx, w.server.URL())
	if err != nil {
		return nil, err
	}
	defer conn.Close(ctx)
	var organization, deep string
	if err := conn.QueryRow(ctx, `SELECT organization_id::text FROM companies WHERE cvr = $1`, bigCVR).Scan(&organization); err != nil {
		return nil, err
	}
	if err := conn.QueryRow(ctx, `SELECT id::text FROM transactions WHERE organization_id = $1 AND cvr = $2 ORDER BY id OFFSET $3 LIMIT 1`,
		organization, bigCVR, w.depth()).Scan(&deep); err != nil {
		return nil, err
	}
	var rows []row
	for _, r := range []struct{ name, path string }{
		{"one company", "/companies/" + bigCVR},
		{"50 companies", "/companies?limit=50"},
		{rowFirst, "/companies/" + bigCVR + "/transactions?limit=50"},
		{rowDeep, "/companies/" + bigCVR + "/transactions?limit=50&after=" + deep},
	} {
		own := target{url: "http://" + service + "/api/v1" + r.path, key: w.bigKey}
		byHand := target{url: "http://" + baseline + "/pgx/" + organization + r.path}
		body, err := compare(own, byHand)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.name, err)
		}
		own.expect, byHand.expect = len(body), 0
		rows = append(rows, row{r.name, own, byHand, target{url: fmt.Sprintf("http://%s/bytes/%d", baseline, len(body)), expect: len(body)}})
	}
	return rows, nil
}

// compare sees that the service and the handler by hand answer the same.
func compare(own, byHand target) ([]byte, error) {
	ours, err := fetch(own)
	if err != nil {
		return nil, err
	}
	theirs, err := fetch(byHand)
	if err != nil {
		return nil, err
	}
	var a, b any
	if err := json.Unmarshal(ours, &a); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(theirs, &b); err != nil {
		return nil, err
	}
	first, _ := json.Marshal(a)
	second, _ := json.Marshal(b)
	// The handler by hand makes no links but these, and repeats no cursor.
	if len(first) > 2*len(second) || len(second) > 2*len(first) {
		return nil, fmt.Errorf("the service answers %d bytes, the baseline %d", len(ours), len(theirs))
	}
	return ours, nil
}

func fetch(t target) ([]byte, error) {
	request, answer := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	t.fill(request)
	if err := fasthttp.DoTimeout(request, answer, 10*time.Second); err != nil {
		return nil, err
	}
	if answer.StatusCode() != 200 {
		return nil, fmt.Errorf("%s: status %d: %s", t.url, answer.StatusCode(), answer.Body())
	}
	return slices.Clone(answer.Body()), nil
}

func (t target) fill(request *fasthttp.Request) {
	request.SetRequestURI(t.url)
	if t.key != "" {
		request.Header.Set("X-API-Key", t.key)
	}
}

// ask asks as fast as the server answers, over as many connections as options
// say, and gives requests a second.
func ask(ctx context.Context, t target, options options) (float64, error) {
	var count atomic.Int64
	var failure atomic.Pointer[error]
	var clients sync.WaitGroup
	stop := make(chan struct{})
	request := fasthttp.AcquireRequest()
	t.fill(request)
	client := &fasthttp.HostClient{Addr: string(request.URI().Host()), MaxConns: options.clients}
	start := time.Now()
	for range options.clients {
		clients.Go(func() {
			request, answer := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
			t.fill(request)
			for {
				select {
				case <-stop:
					return
				default:
				}
				err := client.DoTimeout(request, answer, 10*time.Second)
				if err == nil && (answer.StatusCode() != 200 || t.expect > 0 && len(answer.Body()) != t.expect) {
					err = fmt.Errorf("status %d, %d bytes", answer.StatusCode(), len(answer.Body()))
				}
				if err != nil {
					failure.Store(&err)
					return
				}
				count.Add(1)
			}
		})
	}
	select {
	case <-time.After(options.length):
	case <-ctx.Done():
	}
	close(stop)
	clients.Wait()
	took := time.Since(start)
	client.CloseIdleConnections()
	if err := failure.Load(); err != nil {
		return 0, *err
	}
	return float64(count.Load()) / took.Seconds(), ctx.Err()
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// medianRatio is the median of the rounds' ratios.
func medianRatio(own, other []float64) float64 {
	ratios := make([]float64, len(own))
	for i := range own {
		ratios[i] = own[i] / other[i]
	}
	return median(ratios)
}
