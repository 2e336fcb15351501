// Copies your companies and their transactions into a folder, and proves that the copy
// is complete. Run it as often as you like, one run at a time: it reads only what is new,
// and one request tells it that nothing is.
//
//	DISPO_KEY=dispo_… go run sync.go [FOLDER]
//
// The folder has companies.jsonl, with a company on each line, and for each company
// CVR.jsonl, with its transactions. The id on the last line is the cursor. If a run is
// killed while it writes, the next one cuts off what is not a whole line, and goes on
// from there.
//
// The exit status is 0 if the copy is complete, 1 if it is not (run it again), and 2 if a
// setting is missing. Needs Go 1.22 or later, and no modules.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const maxTries = 5 // of one request

var (
	key     = strings.TrimSpace(os.Getenv("DISPO_KEY"))
	baseURL = cmp.Or(os.Getenv("DISPO_URL"), "https://dispo.example/api")
	folder  = "dispo-copy"

	client = &http.Client{
		Timeout: 30 * time.Second,
		// The API never redirects, and the key must not follow to another server.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
)

func main() {
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	if !regexp.MustCompile(`^dispo_\w+$`).MatchString(key) {
		fmt.Fprintln(os.Stderr, "Set DISPO_KEY to your API key.")
		os.Exit(2)
	}
	if err := syncAll(); err != nil {
		fmt.Fprintln(os.Stderr, "The copy is not complete:", err)
		os.Exit(1)
	}
}

func syncAll() error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	// The ETag changes whenever anything of the organization changes.
	etag, err := os.ReadFile(filepath.Join(folder, "etag"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	p, err := get("/v1/companies?limit=100", string(etag))
	if err != nil {
		return err
	}
	if p.unchanged {
		fmt.Println("Nothing has changed since the copy was proved.")
		return nil
	}
	newETag := p.etag
	time.Sleep(time.Second) // answers are up to a second behind the data, but now as new as the ETag
	companies := p.Data
	for p.Meta.HasMore {
		if p, err = get("/v1/companies?limit=100&after="+p.lastID(), ""); err != nil {
			return err
		}
		companies = append(companies, p.Data...)
	}
	var lines bytes.Buffer
	for _, c := range companies {
		lines.Write(append(c.raw, '\n'))
	}
	if err := replace("companies.jsonl", lines.Bytes()); err != nil {
		return err
	}
	for _, c := range companies {
		if err := syncCompany(c); err != nil {
			return err
		}
	}
	// Kept only now, and from before the first read: a change since then is found next time.
	if err := replace("etag", []byte(newETag)); err != nil {
		return err
	}
	fmt.Printf("%d companies. The copy is complete.\n", len(companies))
	return nil
}

// syncCompany reads what the copy lacks of a company's transactions, and proves the copy
// by their number and sum.
func syncCompany(c item) error {
	copied, err := openCopy(c.CVR)
	if err != nil {
		return err
	}
	defer copied.file.Close()
	for range 2 {
		had := copied.count
		var p page
		for p.Meta.HasMore = true; p.Meta.HasMore; {
			path := "/v1/companies/" + c.CVR + "/transactions?limit=100"
			if copied.last != "" {
				path += "&after=" + copied.last
			}
			if p, err = get(path, ""); err != nil {
				return err
			}
			if err := copied.append(p.Data); err != nil {
				return err
			}
		}
		total, err := toOere(p.amount)
		if err != nil {
			return err
		}
		if copied.count == p.Meta.Total && copied.sum.Cmp(total) == 0 {
			fmt.Printf("%s %s: %d transactions, %d new, %s DKK\n", c.CVR, c.Name, copied.count, copied.count-had, p.amount)
			return nil
		}
		fmt.Fprintf(os.Stderr, "%s: the copy differs: a delivery was withdrawn, or a file was damaged. Reading it again from the start.\n", c.CVR)
		if err := copied.clear(); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s: number and sum keep changing", c.CVR)
}

// copyFile is the copy of one company's transactions.
type copyFile struct {
	file  *os.File
	last  string // the id of the last transaction
	count int
	sum   *big.Int // in øre
}

func openCopy(cvr string) (*copyFile, error) {
	file, err := os.OpenFile(filepath.Join(folder, cvr+".jsonl"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	c := &copyFile{file: file, sum: new(big.Int)}
	reader, end := bufio.NewReader(file), int64(0)
	for {
		line, err := reader.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, err
		}
		var transaction item
		if err == io.EOF || json.Unmarshal(line, &transaction) != nil || c.add(transaction) != nil {
			break
		}
		end += int64(len(line))
	}
	if err := file.Truncate(end); err != nil {
		return nil, err
	}
	_, err = file.Seek(end, io.SeekStart)
	return c, err
}

func (c *copyFile) add(transaction item) error {
	amount, err := toOere(transaction.AmountDKK)
	if err != nil {
		return err
	}
	c.last = transaction.ID
	c.count++
	c.sum.Add(c.sum, amount)
	return nil
}

func (c *copyFile) append(transactions []item) error {
	var lines bytes.Buffer
	for _, transaction := range transactions {
		if err := c.add(transaction); err != nil {
			return err
		}
		lines.Write(append(transaction.raw, '\n'))
	}
	if _, err := c.file.Write(lines.Bytes()); err != nil {
		return err
	}
	return c.file.Sync()
}

func (c *copyFile) clear() error {
	c.last, c.count, c.sum = "", 0, new(big.Int)
	if err := c.file.Truncate(0); err != nil {
		return err
	}
	_, err := c.file.Seek(0, io.SeekStart)
	return err
}

// toOere turns "1234.50" into 123450. Amounts always have two decimals.
func toOere(amount string) (*big.Int, error) {
	oere, ok := new(big.Int).SetString(strings.Replace(amount, ".", "", 1), 10)
	if !ok {
		return nil, fmt.Errorf("%q is not an amount", amount)
	}
	return oere, nil
}

// replace writes a file so that it has the old text or the new one, whatever happens.
func replace(name string, text []byte) error {
	path := filepath.Join(folder, name)
	file, err := os.Create(path + ".new")
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := file.Write(text); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// item is a company or a transaction. raw has all of its fields, also those that the API
// may add.
type item struct {
	ID, CVR, Name string
	AmountDKK     string
	raw           []byte
}

type page struct {
	Data []item
	Meta struct {
		Total   int
		HasMore bool
	}
	etag, amount string
	unchanged    bool
}

func (p page) lastID() string { return p.Data[len(p.Data)-1].ID }

func (i *item) UnmarshalJSON(text []byte) error {
	type fields item
	var line bytes.Buffer
	if err := json.Compact(&line, text); err != nil {
		return err
	}
	i.raw = line.Bytes()
	return json.Unmarshal(text, (*fields)(i))
}

// get requests a path. It waits and tries again if a limit is reached, the service is
// unavailable, or the network fails.
func get(path, etag string) (p page, err error) {
	for try := 1; ; try++ {
		wait := 1 << (try - 1)
		status, header, body, err := send(path, etag)
		if err == nil {
			switch status {
			case http.StatusOK:
				p.etag, p.amount = header.Get("ETag"), header.Get("X-Total-Amount-Dkk")
				err = json.Unmarshal(body, &p)
				return p, err
			case http.StatusNotModified:
				return page{unchanged: true}, nil
			}
			err = problem(status, header, body)
			if status != http.StatusTooManyRequests && status < 500 {
				return p, err
			}
			if seconds, e := strconv.Atoi(header.Get("Retry-After")); e == nil {
				wait = seconds
			}
		}
		if try == maxTries {
			return p, fmt.Errorf("%w; gave up after %d tries", err, maxTries)
		}
		fmt.Fprintf(os.Stderr, "%v; trying again in %d s (try %d of %d)\n", err, wait, try, maxTries)
		time.Sleep(time.Duration(wait) * time.Second)
	}
}

func send(path, etag string) (status int, header http.Header, body []byte, err error) {
	request, err := http.NewRequest(http.MethodGet, baseURL+path, nil)
	if err != nil {
		return 0, nil, nil, err
	}
	request.Header.Set("X-API-Key", key)
	if etag != "" {
		request.Header.Set("If-None-Match", etag)
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, nil, err
	}
	defer response.Body.Close()
	body, err = io.ReadAll(response.Body)
	return response.StatusCode, response.Header, body, err
}

// problem returns the API's error.
func problem(status int, header http.Header, body []byte) error {
	var answer struct {
		Error struct{ Code, Message string }
	}
	text := "this is not an answer of the API" // but of a proxy, perhaps
	if json.Unmarshal(body, &answer) == nil && answer.Error.Code != "" {
		text = answer.Error.Code + ": " + answer.Error.Message
	}
	return fmt.Errorf("%d %s (X-Request-Id %s)", status, text, header.Get("X-Request-Id"))
}
