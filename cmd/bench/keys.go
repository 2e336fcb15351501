package main

import (
	"fmt"
	"time"

	"dispo/models"
)

// measureCold sends the first request of many keys at once, each over its own connection,
// to a service that has just started.
func (b *bench) measureCold() {
	const count = 300
	progress("creating %d keys", count)
	keys := make([]string, count)
	for i := range keys {
		keys[i] = b.createKey(fmt.Sprintf("organization-%d", i%organizationCount))
	}
	service := b.serve()
	defer service.stop()
	total := load{clients: count, count: count, call: func(n int) call {
		return call{url: service.url("/companies/" + companyCVR(n%organizationCount, 0)), key: keys[n]}
	}}.run(b.ctx, time.Hour)
	fmt.Printf("first requests of %d keys at once, to a service just started: %.2f s until the last answer (aim: all 200); answers: %v\n",
		count, total.elapsed.Seconds(), total)
}

// measureForged measures legitimate requests alone, then during a flood of requests with
// well-formed keys that do not exist. The same flood sent to the bare baseline shows how
// much of the slowdown comes from sharing the machine.
func (b *bench) measureForged() {
	const goodRate, forgedRate = 300, 10_000
	service, baseline := b.serve(append(unlimited, trusted)...), b.serveBaseline()
	defer service.stop()
	defer baseline.stop()
	goodCall := func(n int) call {
		return b.call(service, n%organizationCount, "/companies/"+companyCVR(n%organizationCount, 0))
	}
	for i := range organizationCount {
		fetch(goodCall(i))
	}
	good := load{clients: 64, rate: goodRate, call: goodCall}
	quiet := good.run(b.ctx, 5*b.length)
	keys := make([]string, 200_000)
	for i := range keys {
		keys[i] = models.NewKey(false).Text()
	}
	fmt.Printf("%d good requests a second, beside up to %d a second with forged keys:\n", goodRate, forgedRate)
	table := newTable("p50", "p99", "p99 without", "ratio of p99", "aim", "failed", "answers to the flood")
	defer table.Flush()
	attack := func(name, aim string, target call, address func(n int) string) {
		flood := load{clients: 128, rate: forgedRate, call: func(n int) call {
			forged := target
			forged.key, forged.from = keys[n%len(keys)], address(n)
			return forged
		}}
		var during tally
		answers := b.beside(flood, func() { during = good.run(b.ctx, 5*b.length) })
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%.2f\t%s\t%d\t%v\t\n", name, ms(during.p50()), ms(during.p99()), ms(quiet.p99()),
			ratio(during.p99(), quiet.p99()), aim, during.failed, answers)
	}
	same := func(int) string { return "" }
	attack("sent to the bare baseline instead", "", call{url: baseline.site + "/bytes/100"}, same)
	attack("sent from one address, the same as the good requests", "<= 2", goodCall(0), same)
	attack("sent from many addresses", "<= 2", goodCall(0), someAddress)
}

// someAddress returns an address that few other numbers have.
func someAddress(n int) string {
	scattered := uint32(n) * 2654435761
	return fmt.Sprintf("11.%d.%d.%d", byte(scattered>>24), byte(scattered>>16), byte(scattered>>8))
}
