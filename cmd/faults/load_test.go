package faults_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// load lets callers, importers and people work on the fleet until stop is called. Each pauses
// for as long as pace and its work need. What they see and must not is an error of the test.
func (f *fleet) load(pace int) (stop func()) {
	over := make(chan struct{})
	var group sync.WaitGroup
	repeat := func(rest time.Duration, work func()) {
		group.Go(func() {
			for {
				select {
				case <-over:
					return
				case <-time.After(rest * time.Duration(pace)):
					work()
				}
			}
		})
	}
	for _, instance := range f.instances {
		for range 2 {
			repeat(5*time.Millisecond, func() { f.readAsKey(instance) })
		}
		repeat(5*time.Millisecond, func() { f.wait(instance) })
		repeat(200*time.Millisecond, func() { f.readInBulk(instance) })
	}
	repeat(50*time.Millisecond, func() { f.importDelivery(f.newDelivery(1+f.number(300), today())) })
	repeat(300*time.Millisecond, f.dropDelivery)
	repeat(50*time.Millisecond, f.rotate)
	repeat(100*time.Millisecond,
		func() { f.sync(f.organizations[f.number(len(f.organizations))], f.instances[f.number(2)], over) })
	return func() {
		close(over)
		group.Wait()
	}
}

func today() time.Time { return time.Now() }

func pause(length time.Duration) { <-time.After(length) }

// page is what the lists of transactions and companies have in common.
type page struct {
	Data []struct{ ID, CVR, Name string }
	Meta struct{ Total int }
}

// readAsKey requests a page with a key, and requires that a revoked key is refused after a
// second, that no row is another organization's, and that two answers with one version show
// the same data.
func (f *fleet) readAsKey(instance *instance) {
	o := f.organizations[rand.IntN(len(f.organizations))]
	text, began := o.key, time.Now()
	k := f.someKey()
	var revoked time.Time
	if k != nil && rand.IntN(4) == 0 {
		o, text = k.organization, k.text
		f.model.mu.Lock()
		revoked = k.revoked
		f.model.mu.Unlock()
	} else {
		k = nil
	}
	list := []string{"/api/v1/transactions?limit=20", "/api/v1/companies?limit=20"}[rand.IntN(2)]
	status, body, header := get(instance.site+list, map[string]string{"X-API-Key": text})
	f.judge(instance, list, status, body)
	switch {
	case status == http.StatusOK && !revoked.IsZero() && began.After(revoked.Add(time.Second)):
		f.Errorf("a key works %s after its revocation was acknowledged", began.Sub(revoked))
	case status == http.StatusUnauthorized && (k == nil || f.works(k)):
		f.Errorf("a good key is refused: %s", body)
	}
	if status == http.StatusOK {
		f.requireOwn(o, list, body, header)
	}
}

// works reports whether nobody has begun to revoke the key.
func (f *fleet) works(k *key) bool {
	f.model.mu.Lock()
	defer f.model.mu.Unlock()
	return !k.leaving
}

// judge counts an answer. During a fault there may be none, and 503, but no other error.
func (f *fleet) judge(instance *instance, list string, status int, body string) {
	f.model.count(strconv.Itoa(status))
	switch status {
	case 0, http.StatusOK, http.StatusNotModified, http.StatusUnauthorized, http.StatusServiceUnavailable:
	case http.StatusTooManyRequests:
		if !strings.Contains(body, "bulk") && !strings.Contains(body, "at a time") {
			f.Errorf("%s: %s", list, body)
		}
	default:
		f.Errorf("%s%s answers %d: %s", instance.site, list, status, body)
	}
}

// requireOwn requires that an answer has an organization's own rows alone, and shows what
// other answers with its version showed.
func (f *fleet) requireOwn(o *organization, list, body string, header http.Header) {
	var read page
	if err := json.Unmarshal([]byte(body), &read); err != nil {
		f.Errorf("%s: %v", list, err)
		return
	}
	for _, row := range read.Data {
		if !o.has(row.CVR) || row.Name != "" && !strings.HasSuffix(row.Name, " "+o.slug) {
			f.Errorf("%s sees %+v", o.slug, row)
		}
	}
	version := header.Get("X-Data-Version")
	if version == "" {
		f.Errorf("an answer has no version")
	}
	shows := fmt.Sprint(read.Meta.Total, " ", header.Get("X-Total-Amount-Dkk"))
	f.model.mu.Lock()
	defer f.model.mu.Unlock()
	name := o.slug + " " + version + " " + list
	if before, known := f.model.shown[name]; known && before != shows {
		f.Errorf("%s shows %s, and showed %s", name, shows, before)
	}
	f.model.shown[name] = shows
}

// wait waits for a change.
func (f *fleet) wait(instance *instance) {
	o := f.organizations[rand.IntN(len(f.organizations))]
	headers := map[string]string{"X-API-Key": o.key}
	status, body, header := get(instance.site+"/api/v1/changes", headers)
	if f.judge(instance, "/api/v1/changes", status, body); status != http.StatusOK {
		pause(50 * time.Millisecond)
		return
	}
	headers["If-None-Match"], headers["Prefer"] = header.Get("ETag"), "wait=1"
	status, body, _ = get(instance.site+"/api/v1/changes", headers)
	f.judge(instance, "/api/v1/changes", status, body)
}

// readInBulk reads everything, and requires the number and the sum that were promised.
func (f *fleet) readInBulk(instance *instance) {
	o := f.organizations[rand.IntN(len(f.organizations))]
	status, body, header := get(instance.site+"/api/v1/transactions",
		map[string]string{"X-API-Key": o.key, "Accept": "text/csv"})
	if f.judge(instance, "bulk", status, body); status != http.StatusOK {
		return
	}
	if lines := strings.Count(body, "\n") - 1; strconv.Itoa(lines) != header.Get("X-Total-Count") {
		f.Errorf("a bulk read of %s has %d records", header.Get("X-Total-Count"), lines)
	}
}

// dropDelivery puts a delivery into the watched folder.
func (f *fleet) dropDelivery() {
	d := f.newDelivery(1+f.number(50), today())
	f.write(filepath.Join("deliveries", d.name), f.read(d.path))
	f.write(filepath.Join("deliveries", d.name+".done"), "")
}

// rotate creates a key, uses it, and revokes it.
func (f *fleet) rotate() {
	k := f.newKey(f.organizations[f.number(len(f.organizations))])
	if k == nil {
		pause(50 * time.Millisecond)
		return
	}
	for _, instance := range f.instances {
		status, body, _ := get(instance.site+"/api/v1/companies", map[string]string{"X-API-Key": k.text})
		if f.judge(instance, "/api/v1/companies", status, body); status == http.StatusUnauthorized {
			f.Errorf("a new key is refused: %s", body)
		}
	}
	pause(300 * time.Millisecond)
	f.revoke(k)
}

// sync brings an organization's copy up to date by the Go client, and reports whether
// it is proved. The program may die meanwhile, and does when the load is over, because its
// pauses grow.
func (f *fleet) sync(o *organization, instance *instance, over <-chan struct{}) bool {
	p := f.start([]string{"DISPO_KEY=" + o.key, "DISPO_URL=" + instance.site + "/api"}, copier, f.path(o.slug+".sqlite"))
	var dies <-chan time.Time
	if f.number(4) == 0 {
		dies = time.After(f.between(50*time.Millisecond, 800*time.Millisecond))
	}
	select {
	case <-p.ended:
	case <-dies:
		p.kill()
	case <-over:
		p.kill()
	}
	return p.status() == 0
}
