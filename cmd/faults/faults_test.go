package faults_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// fault harms the fleet, and ends the harm. The load goes on meanwhile.
type fault struct {
	name string
	harm func(f *fleet)
}

var faults = []fault{
	{"kill the service", func(f *fleet) { f.killInstance(f.number(2)) }},
	{"kill both instances", func(f *fleet) { f.killInstance(0); f.killInstance(1) }},
	{"kill PostgreSQL", func(f *fleet) {
		f.primary().kill()
		f.primary().restart()
	}},
	{"kill a process of PostgreSQL", func(f *fleet) {
		pids := modelstest.ColumnAt[int](f, f.url,
			`SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`)
		require.NoError(f, syscall.Kill(pids[f.number(len(pids))], syscall.SIGKILL))
		f.rest(time.Second, 2*time.Second)
	}},
	{"promote a standby", (*fleet).promote},
	{"kill an import", func(f *fleet) {
		for range 3 {
			d := f.newDelivery(20_000, today())
			f.killed(f.command("import", "delivery", d.path), 50*time.Millisecond, 1500*time.Millisecond)
		}
	}},
	{"kill a withdrawal", func(f *fleet) {
		for range 3 {
			f.withdraw(func(p *process) { f.killed(p, 20*time.Millisecond, 300*time.Millisecond) })
		}
		f.withdraw(func(p *process) { p.status() })
	}},
	{"kill the watcher", func(f *fleet) {
		for range 3 {
			f.rest(100*time.Millisecond, 700*time.Millisecond)
			f.watcher.kill()
			f.startWatcher()
		}
	}},
	{"kill the service while it deletes what is old", killRetention},
	{"kill the deletion of an organization", killDeletion},
	{"kill a backup and a restore", killBackup},
	{"the mail server refuses", func(f *fleet) {
		f.mail.Answer(func(modelstest.ReceivedMail) error {
			return modelstest.MailRefusal(451, [2]int{3, 0}, "try again later")
		})
		f.rest(time.Second, 2*time.Second)
		f.mail.Answer(func(modelstest.ReceivedMail) error { return nil })
	}},
	{"the mail server hangs up", func(f *fleet) {
		f.mail.HangUp.Store(true)
		f.rest(time.Second, 2*time.Second)
		f.mail.HangUp.Store(false)
	}},
	{"kill the service while the mail server is slow", func(f *fleet) {
		f.mail.Answer(func(m modelstest.ReceivedMail) error { pause(200 * time.Millisecond); return nil })
		f.rest(500*time.Millisecond, time.Second)
		f.killInstance(f.number(2))
		f.mail.Answer(func(modelstest.ReceivedMail) error { return nil })
	}},
	{"PostgreSQL is cut off", func(f *fleet) { f.line(modelstest.Cut, 500*time.Millisecond, 2*time.Second) }},
	{"PostgreSQL hangs", func(f *fleet) { f.line(modelstest.Hung, 500*time.Millisecond, 5*time.Second) }},
	{"PostgreSQL is slow", func(f *fleet) {
		for began := time.Now(); time.Since(began) < 2*time.Second; {
			f.line(modelstest.Hung, 20*time.Millisecond, 60*time.Millisecond)
			pause(5 * time.Millisecond)
		}
	}},
	{"PostgreSQL vanishes without a word", func(f *fleet) {
		proxy := f.proxies[f.number(2)][f.active]
		proxy.Abandon()
		f.rest(time.Second, 3*time.Second)
		proxy.All(modelstest.Cut) // as TCP does in the end
		proxy.All(modelstest.Up)
	}},
	{"the change feed hangs", func(f *fleet) {
		proxy := f.proxies[f.number(2)][f.active]
		proxy.Feed(modelstest.Hung)
		f.rest(time.Second, 3*time.Second)
		proxy.Feed(modelstest.Up)
	}},
	{"the disk of PostgreSQL is full", fillDisk},
	{"PostgreSQL is read-only", func(f *fleet) {
		f.readOnly("on")
		f.rest(time.Second, 2*time.Second)
		f.readOnly("off")
	}},
	{"kill Redis", func(f *fleet) {
		f.redis.kill()
		f.rest(200*time.Millisecond, time.Second)
		f.startRedis()
	}},
	{"Redis hangs", func(f *fleet) {
		require.NoError(f, f.redis.cmd.Process.Signal(syscall.SIGSTOP))
		f.rest(time.Second, 2*time.Second)
		require.NoError(f, f.redis.cmd.Process.Signal(syscall.SIGCONT))
	}},
	{"Redis is full", func(f *fleet) {
		require.NoError(f, f.askRedis("CONFIG", "SET", "maxmemory", "1"))
		f.rest(time.Second, 2*time.Second)
		require.NoError(f, f.askRedis("CONFIG", "SET", "maxmemory", "0"))
	}},
	{"Redis is read-only", func(f *fleet) {
		require.NoError(f, f.askRedis("REPLICAOF", "127.0.0.1", "1"))
		f.rest(time.Second, 2*time.Second)
		require.NoError(f, f.askRedis("REPLICAOF", "NO", "ONE"))
	}},
	{"the clock of an instance is a minute back", func(f *fleet) { f.moveClock(-60) }},
	{"the clock of an instance is an hour ahead", func(f *fleet) { f.moveClock(3600) }},
}

// Whatever is killed, cut off, slow, hung, full or read-only: what was acknowledged is there,
// nothing is half done, totals equal counts, no organization sees another's rows, no key works
// for longer than a second after its revocation, mails are neither lost nor sent twice under
// another id, and copies are proved and right. Before that, nothing grows under a steady load.
// -seed repeats the choices, but not their timing.
func TestFaults(t *testing.T) {
	t.Logf("-seed %d", *seed)
	f := newFleet(t)
	f.soak()
	chosen := slices.DeleteFunc(slices.Clone(faults), func(one fault) bool {
		return !strings.Contains(one.name, *only) ||
			!f.full && strings.Contains(one.name, "full") && strings.Contains(one.name, "disk") ||
			!*clock && strings.Contains(one.name, "clock")
	})
	done, times := map[string]int{}, map[string]time.Duration{}
	for round := range *rounds {
		if round%len(chosen) == 0 {
			f.random.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
		}
		one := chosen[round%len(chosen)]
		began := time.Now()
		t.Logf("round %d: %s", round+1, one.name)
		stop := f.load(*pace)
		f.rest(200*time.Millisecond, time.Second)
		one.harm(f)
		f.rest(200*time.Millisecond, time.Second)
		stop()
		f.check()
		if t.Failed() {
			return
		}
		done[one.name]++
		times[one.name] += time.Since(began)
	}
	f.report(done, times)
}

// report prints what was done.
func (f *fleet) report(done map[string]int, times map[string]time.Duration) {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "FAULT\tROUNDS\tSECONDS EACH\n")
	for _, name := range slices.Sorted(maps.Keys(done)) {
		fmt.Fprintf(table, "%s\t%d\t%.1f\n", name, done[name], times[name].Seconds()/float64(done[name]))
	}
	_ = table.Flush()
	records := 0
	for _, o := range f.organizations {
		n, _ := f.model.expected(o)
		records += n
	}
	f.Logf(
		"\n%sanswers by status (0: none): %v\n%d deliveries with %d transactions, %d keys, %d mails, %d versions of the data seen",
		text.String(),
		f.model.statuses,
		len(f.model.deliveries),
		records,
		len(f.model.keys),
		len(f.mail.Mails()),
		len(f.model.shown),
	)
}

// killed kills a process after a random time, unless it ends before.
func (f *fleet) killed(p *process, least, most time.Duration) {
	select {
	case <-p.ended:
	case <-time.After(f.between(least, most)):
		p.kill()
	}
}

func (f *fleet) killInstance(i int) {
	f.instances[i].kill()
	f.rest(50*time.Millisecond, 500*time.Millisecond)
	f.startInstance(i)
}

// line changes the line between both instances and the database for a while.
func (f *fleet) line(state modelstest.Line, least, most time.Duration) {
	for i := range f.instances {
		f.proxies[i][f.active].All(state)
	}
	f.rest(least, most)
	for i := range f.instances {
		f.proxies[i][f.active].All(modelstest.Up)
	}
}

func (f *fleet) readOnly(state string) {
	modelstest.ExecuteAt(f, f.url, `ALTER SYSTEM SET default_transaction_read_only = `+state)
	modelstest.ExecuteAt(f, f.url, `SELECT pg_reload_conf()`)
}

// fillDisk fills the disk of the database for a while. PostgreSQL may end because of that.
func fillDisk(f *fleet) {
	filler := f.path("databases/filler")
	_ = exec.Command("dd", "if=/dev/zero", "of="+filler, "bs=1M").Run() // fails when the disk is full
	f.rest(time.Second, 2*time.Second)
	require.NoError(f, os.Remove(filler))
	f.primary().restart()
}

// moveClock restarts an instance with a clock that is so many seconds off, and again with a
// right one.
func (f *fleet) moveClock(seconds int) {
	i := f.number(2)
	f.instances[i].kill()
	f.startInstance(i, fmt.Sprintf("FAULTS_CLOCK=%d", seconds))
	f.rest(2*time.Second, 3*time.Second)
	f.killInstance(i)
}

// withdraw withdraws a random delivery, and lets handle wait for the command or kill it.
func (f *fleet) withdraw(handle func(p *process)) {
	f.model.mu.Lock()
	candidates := slices.DeleteFunc(slices.Clone(f.model.deliveries),
		func(d *delivery) bool { return !d.acknowledged || d.withdrawn || d.leaving })
	f.model.mu.Unlock()
	if len(candidates) == 0 {
		return
	}
	d := candidates[f.number(len(candidates))]
	ids := modelstest.ColumnAt[string](f, f.url,
		`SELECT delivery_id::text FROM delivery_files WHERE filename = $1 LIMIT 1`, d.name)
	if len(ids) == 0 {
		return
	}
	d.leaving = true
	handle(f.command("delivery", "withdraw", ids[0], "--reason", "a fault", "--yes"))
}

// killRetention imports old deliveries, and kills an instance again and again while it
// deletes them by their age.
func killRetention(f *fleet) {
	var old []*delivery
	for range 5 {
		d := f.newDelivery(500, today().AddDate(0, 0, -100))
		f.importDelivery(d)
		old = append(old, d)
	}
	i := f.number(2)
	modelstest.ExecuteAt(f, f.url, `UPDATE kept_periods SET period = '60d' WHERE kind = 'transactions'`)
	const left = `SELECT count(*)::int FROM transactions WHERE disposition_date < current_date - 90`
	for round := 0; round < 3 || modelstest.ValueAt[int](f, f.url, left) > 0; round++ {
		f.instances[i].kill()
		f.startInstance(i)
		// What waits for an import for longer than a second is left for the next hour.
		for began := time.Now(); time.Since(began) < time.Duration(round+1)*time.Second && modelstest.ValueAt[int](f, f.url, left) > 0; {
			f.rest(20*time.Millisecond, 200*time.Millisecond)
		}
	}
	modelstest.ExecuteAt(f, f.url, `UPDATE kept_periods SET period = 'none' WHERE kind = 'transactions'`)
	f.killInstance(i)
	f.model.mu.Lock()
	defer f.model.mu.Unlock()
	for _, d := range old {
		// One that was not imported was too old until now.
		d.withdrawn, d.acknowledged = true, true
	}
}

// killDeletion kills the deletion of an organization again and again, and lets it end.
func killDeletion(f *fleet) {
	slug := fmt.Sprintf("gone%d", f.number(1<<30))
	o := f.newOrganization(slug, 50_000_000, 300)
	var text strings.Builder
	text.WriteString("cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk\n")
	for i := range 15_000 {
		fmt.Fprintf(&text, "%s,1234,%010d,CARD,2026-01-31,1,%d.00\n", o.cvrs[1+i%300], f.number(1<<30), i)
	}
	f.must("import", "delivery", f.write(slug+"-delivery.csv", text.String()))
	for range 3 {
		f.killed(f.command("organization", "delete", slug, "--confirm", slug), 30*time.Millisecond, 400*time.Millisecond)
	}
	if modelstest.ValueAt[bool](f, f.url, `SELECT EXISTS (SELECT FROM organizations WHERE slug = $1)`, slug) {
		f.must("organization", "delete", slug, "--confirm", slug)
	}
	for _, table := range modelstest.ColumnAt[string](f, f.url, `SELECT c.oid::regclass::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id'
		WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`) {
		require.Zero(f,
			modelstest.ValueAt[int](f, f.url, `SELECT count(*)::int FROM `+table+` WHERE organization_id = $1`, o.id), table)
	}
	for _, instance := range f.instances {
		status, _, _ := get(instance.site+"/api/v1/companies", map[string]string{"X-API-Key": o.key})
		require.Equal(f, 401, status)
	}
}

// killBackup kills backups, of which only whole ones may have their name, and restores of one
// that was made under load, which must end well when they are run again.
func killBackup(f *fleet) {
	const name = "backup.dispo"
	for range 3 {
		f.killed(f.command("backup", f.path(name)), 50*time.Millisecond, time.Second)
		if _, err := os.Stat(f.path(name)); err == nil {
			f.must("backup", "check", "--quick", f.path(name))
		}
	}
	f.must("backup", f.path(name))
	modelstest.ExecuteAt(f, f.url, `CREATE DATABASE restored OWNER dispo_owner`)
	url := strings.Replace(f.url, "/postgres?", "/restored?", 1)
	restore := func() *process {
		return f.start(append(f.settings, "DATABASE_MIGRATION_URL="+modelstest.As(url, "dispo_owner")), dispo, "restore",
			f.path(name))
	}
	for range 2 {
		f.killed(restore(), 50*time.Millisecond, time.Second)
	}
	last := restore()
	require.Zero(f, last.status(), last.err.String())
	modelstest.RequireTotals(f, url)
	modelstest.ExecuteAt(f, f.url, `DROP DATABASE restored WITH (FORCE)`)
}
