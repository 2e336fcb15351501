package faults_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// model is what the fleet must have: what it acknowledged.
type model struct {
	mu         sync.Mutex
	deliveries []*delivery
	keys       []*key
	shown      map[string]string // by organization and version of the data, what an answer showed
	statuses   map[string]int
}

func newModel() model { return model{shown: map[string]string{}, statuses: map[string]int{}} }

// delivery is a file that was imported, or may have been.
type delivery struct {
	name, path   string
	records      map[string]int   // by CVR
	oere         map[string]int64 // by CVR
	acknowledged bool
	withdrawn    bool
	leaving      bool // whether it may be withdrawn or not
}

// key is an API key that was created, and when its revocation was acknowledged.
type key struct {
	organization *organization
	id, text     string
	revoked      time.Time
	leaving      bool // whether it may be revoked or not
}

// of returns what an organization has of the delivery.
func (d *delivery) of(o *organization) (records int, oere int64) {
	for _, cvr := range o.cvrs {
		records += d.records[cvr]
		oere += d.oere[cvr]
	}
	return records, oere
}

// expected returns what an organization must have in all.
func (m *model) expected(o *organization) (records int, oere int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, d := range m.deliveries {
		if !d.withdrawn {
			n, sum := d.of(o)
			records, oere = records+n, oere+sum
		}
	}
	return records, oere
}

// pending returns the deliveries whose import was not acknowledged.
func (m *model) pending() (found []*delivery) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, d := range m.deliveries {
		if !d.acknowledged {
			found = append(found, d)
		}
	}
	return found
}

func (m *model) count(status string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.statuses[status]++
}

// newDelivery writes a delivery with so many records of random companies on a day. No two
// deliveries have a record in common.
func (f *fleet) newDelivery(records int, day time.Time) *delivery {
	f.model.mu.Lock()
	number := len(f.model.deliveries) + 1
	d := &delivery{name: fmt.Sprintf("delivery-%d.csv", number), records: map[string]int{}, oere: map[string]int64{}}
	f.model.deliveries = append(f.model.deliveries, d)
	f.model.mu.Unlock()
	var text strings.Builder
	text.WriteString("cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk\n")
	for i := range records {
		o := f.organizations[f.number(len(f.organizations))]
		cvr := o.cvrs[f.number(len(o.cvrs))]
		oere := int64(f.number(1_000_000) - 100_000)
		sign, whole := "", oere
		if oere < 0 {
			sign, whole = "-", -oere
		}
		fmt.Fprintf(&text, "%s,%04d,%010d,CARD,%s,%d,%s%d.%02d\n", cvr, 1000+number%9000, i, day.Format(time.DateOnly),
			number, sign, whole/100, whole%100)
		d.records[cvr]++
		d.oere[cvr] += oere
	}
	d.path = f.write(d.name, text.String())
	return d
}

// importDelivery imports a delivery, and notes whether that was acknowledged.
func (f *fleet) importDelivery(d *delivery) *process {
	p := f.command("import", "delivery", d.path)
	if p.status() == 0 {
		f.model.mu.Lock()
		d.acknowledged = true
		f.model.mu.Unlock()
	}
	return p
}

var uuid = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`)

// newKey creates a key, and returns nil if that was not acknowledged.
func (f *fleet) newKey(o *organization) *key {
	p := f.command("key", "create", "--organization", o.slug, "--name", "Comes and goes")
	if p.status() != 0 {
		return nil
	}
	k := &key{organization: o, id: uuid.FindString(p.err.String()), text: strings.TrimSpace(p.out.String())}
	f.model.mu.Lock()
	defer f.model.mu.Unlock()
	f.model.keys = append(f.model.keys, k)
	return k
}

// revoke revokes a key.
func (f *fleet) revoke(k *key) {
	f.model.mu.Lock()
	k.leaving = true
	f.model.mu.Unlock()
	p := f.command("key", "revoke", k.id)
	if p.status() == 0 {
		f.model.mu.Lock()
		k.revoked = time.Now()
		f.model.mu.Unlock()
	}
}

// someKey returns a random one of the keys that were created last.
func (f *fleet) someKey() *key {
	f.model.mu.Lock()
	defer f.model.mu.Unlock()
	recent := f.model.keys[max(0, len(f.model.keys)-12):]
	if len(recent) == 0 {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return recent[f.random.IntN(len(recent))]
}

// byCVR returns whether the organization has a company with the CVR.
func (o *organization) has(cvr string) bool { return slices.Contains(o.cvrs, cvr) }
