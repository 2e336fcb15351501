package faults_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// fleet is two instances of the service and a watcher on one database, and what they need.
type fleet struct {
	testing.TB
	mu            sync.Mutex
	random        *rand.Rand
	folder        string
	full          bool // whether the folder of the database can be filled up
	databases     [2]*database
	active        int    // which database is the primary
	url           string // of the primary
	redis         *process
	mail          *modelstest.MailServer
	proxies       [2][2]*modelstest.Proxy // between each instance and each database
	instances     [2]*instance
	watcher       *process
	settings      []string // of the commands
	organizations []*organization
	model         model
}

// instance is a process of the service.
type instance struct {
	*process
	site, metrics string
	settings      []string
}

// organization is one whose data the fleet serves. Its companies' names have its slug.
type organization struct {
	slug, id string
	cvrs     []string
	key      string // one that nobody revokes
}

// databaseSize is the space that the database has where it can be limited.
const databaseSize = "3g"

func newFleet(t testing.TB) *fleet {
	folder, err := os.MkdirTemp("/tmp", "faults-") // t.TempDir is too long for a socket
	require.NoError(t, err)
	f := &fleet{TB: t, folder: folder, random: rand.New(rand.NewPCG(*seed, 1)), model: newModel()}
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(folder)) })
	require.NoError(t, os.Chmod(folder, 0o755))
	require.NoError(t, os.MkdirAll(f.path("databases"), 0o755))
	require.NoError(t, os.MkdirAll(f.path("deliveries"), 0o755))
	if exec.Command("mount", "-t", "tmpfs", "-o", "mode=0755,size="+databaseSize, "tmpfs", f.path("databases")).
		Run() ==
		nil {
		f.full = true
		t.Cleanup(func() { require.NoError(t, exec.Command("umount", f.path("databases")).Run()) })
	} else {
		t.Log(
			"the disk of the database is not filled up, because that takes a file system of its own, which only root may mount")
	}
	t.Cleanup(func() {
		for _, d := range f.databases {
			d.stop()
		}
	})
	for i := range f.databases {
		f.databases[i] = &database{fleet: f, directory: f.path(fmt.Sprintf("databases/%d", i))}
	}
	f.primary().start()
	f.url = f.primary().url()
	f.startRedis()
	f.mail = modelstest.NewMailServer(t, modelstest.MailPlain)
	f.settings = []string{
		"DATABASE_URL=" + either(f.databases[0].url(), f.databases[1].url()),
		"DISPO_SECRET=" + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("secret.", 8))),
		"DISPO_ERASURES=" + f.path("erasures"),
	}
	f.must("migrate")
	for i := range f.instances {
		for j, d := range f.databases {
			f.proxies[i][j] = modelstest.NewProxy(t, d.url())
		}
		site, metrics := freeAddress(t), freeAddress(t)
		f.instances[i] = &instance{site: "http://" + site, metrics: "http://" + metrics, settings: append([]string{
			"DISPO_LISTEN=" + site, "DISPO_METRICS_LISTEN=" + metrics, "REDIS_URL=unix://" + f.path("redis"),
			"DISPO_SMTP_URL=" + f.mail.URL, "DISPO_MAIL_FROM=Dispo <dispo@example.com>", "DISPO_PUBLIC_URL=http://" + site,
			"DISPO_CACHE_MB=4", // so that it is full when a soak begins to count
			"DISPO_LIMIT_MINUTE=100000000", "DISPO_LIMIT_HOUR=100000000", "DISPO_LIMIT_FAILURES=100000000",
		}, f.through(i)...)}
		f.startInstance(i)
	}
	f.settle()
	f.startWatcher()
	for i, slug := range []string{"ask", "embla", "odin"} {
		f.organizations = append(f.organizations, f.newOrganization(slug, 10_000_000+1000*i, 8))
	}
	return f
}

func (f *fleet) path(name string) string { return filepath.Join(f.folder, name) }

// through returns the commands' settings, with the databases behind an instance's proxies.
func (f *fleet) through(i int) []string {
	return append([]string{"DATABASE_URL=" + either(f.proxies[i][0].URL, f.proxies[i][1].URL)}, f.settings[1:]...)
}

// newOrganization creates an organization with companies, of which the first belongs to all
// organizations, an owner who gets mails, and a key.
func (f *fleet) newOrganization(slug string, firstCVR, companies int) *organization {
	o := &organization{slug: slug, cvrs: []string{"99999999"}}
	text := "cvr,name\n99999999,Shared by " + slug + "\n"
	for i := range companies {
		o.cvrs = append(o.cvrs, strconv.Itoa(firstCVR+i))
		text += fmt.Sprintf("%d,Company %d of %s\n", firstCVR+i, i, slug)
	}
	f.must("organization", "create", strings.ToUpper(slug), "--slug", slug)
	f.must("import", "companies", f.write(slug+".csv", text), "--organization", slug)
	f.must("user", "create", slug+"@example.com", "--organization", slug, "--role", "owner")
	key, _ := f.must("key", "create", "--organization", slug, "--name", "Stays")
	o.key = strings.TrimSpace(key)
	o.id = modelstest.ValueAt[string](f, f.url, `SELECT id::text FROM organizations WHERE slug = $1`, slug)
	return o
}

// write writes a file that every user can read, and returns its path.
func (f *fleet) write(name, text string) string {
	require.NoError(f, os.WriteFile(f.path(name), []byte(text), 0o644))
	return f.path(name)
}

func freeAddress(t testing.TB) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	return listener.Addr().String()
}

func (f *fleet) startRedis() {
	f.redis = f.start(nil, "redis-server", "--port", "0", "--unixsocket", f.path("redis"),
		"--save", "", "--appendonly", "no", "--dir", f.folder)
	modelstest.Eventually(f, func() bool { return f.askRedis("PING") == nil }, "redis-server did not start")
}

// askRedis runs a command of Redis.
func (f *fleet) askRedis(arguments ...any) error {
	client := redis.NewClient(&redis.Options{Network: "unix", Addr: f.path("redis"), MaxRetries: -1})
	defer client.Close()
	return client.Do(context.Background(), arguments...).Err()
}

func (f *fleet) startInstance(i int, settings ...string) {
	f.instances[i].process = f.start(append(f.instances[i].settings, settings...), dispo, "serve")
}

func (f *fleet) startWatcher() {
	f.watcher = f.start(f.through(1), dispo, "watch", f.path("deliveries"), "--every", "100ms")
}

// settle waits until both instances serve and hear of changes again.
func (f *fleet) settle() {
	f.primary().restart()
	for _, instance := range f.instances {
		modelstest.Eventually(f, func() bool {
			if status, _, _ := get(instance.site+"/api/health", nil); status != http.StatusOK {
				select {
				case <-instance.ended:
					f.Fatalf("the service has ended: %s", instance.err.String())
				default:
				}
				return false
			}
			return instance.metric("dispo_change_feed_up") == 1
		}, "the service does not answer")
	}
}

// metric returns the sum of a metric over its labels, or -1.
func (i *instance) metric(name string) float64 {
	_, body, _ := get(i.metrics+"/metrics", nil)
	sum := -1.0
	for line := range strings.Lines(body) {
		series, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if metric, _, _ := strings.Cut(series, "{"); metric == name {
			number, _ := strconv.ParseFloat(value, 64)
			sum = max(sum, 0) + number
		}
	}
	return sum
}

var client = &http.Client{Timeout: 70 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 32}}

// get requests a URL with these headers, and returns the status, or 0 if there was no whole
// answer.
func get(url string, headers map[string]string) (status int, body string, header http.Header) {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return 0, err.Error(), nil
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, err.Error(), nil
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err.Error(), response.Header
	}
	return response.StatusCode, string(text), response.Header
}

// between returns a random time.
func (f *fleet) between(least, most time.Duration) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return least + time.Duration(f.random.Int64N(int64(most-least)))
}

// number returns a random number below n.
func (f *fleet) number(n int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.random.IntN(n)
}

// rest lets a fault last.
func (f *fleet) rest(least, most time.Duration) { time.Sleep(f.between(least, most)) }
