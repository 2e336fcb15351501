package main

import (
	"fmt"
	"hash/crc32"
	"math/rand/v2"

	"github.com/valyala/fasthttp"
)

// measureCold sends the first request of many keys at once, each over its own connection,
// to a service that has just started.
func (b *bench) measureCold() {
	progress("creating %d keys", b.coldKeys)
	keys := make([]string, b.coldKeys)
	for i := range keys {
		keys[i] = b.createKey(fmt.Sprintf("organization-%d", i%organizationCount))
	}
	service := b.serve()
	defer service.stop()
	total := must(load{address: service.address, clients: b.coldKeys, count: b.coldKeys, prepare: func(n int, request *fasthttp.Request) {
		call{url: service.url("/companies/" + companyCVR(n%organizationCount, 0)), key: keys[n]}.fill(request)
	}}.run(b.ctx))
	fmt.Printf("first requests of %d keys at once, to a service just started: %.2f s until the last answer (aim: all 200); answers: %v\n",
		b.coldKeys, total.elapsed.Seconds(), total)
}

const (
	goodRate   = 300
	forgedRate = 10_000
	forgedKeys = 200_000
)

// measureForged measures legitimate requests alone, then during a flood of requests with
// well-formed keys that do not exist. The same flood sent to the bare baseline shows how
// much of the slowdown comes from sharing the machine.
func (b *bench) measureForged() {
	service, baseline := b.serve(append([]string{"DISPO_TRUSTED_PROXIES=127.0.0.1"}, unlimited...)...), b.serveBaseline()
	defer service.stop()
	defer baseline.stop()
	goodCall := func(n int) call {
		return b.call(service, n%organizationCount, "/companies/"+companyCVR(n%organizationCount, 0))
	}
	for i := range organizationCount {
		must(fetch(goodCall(i)))
	}
	good := load{address: service.address, clients: 64, rate: goodRate, prepare: func(n int, request *fasthttp.Request) { goodCall(n).fill(request) }}
	quiet := must(good.runFor(b.ctx, 5*b.length))
	keys := make([]string, forgedKeys)
	for i := range keys {
		keys[i] = forgeKey()
	}
	fmt.Printf("%d good requests a second, beside up to %d a second with forged keys:\n", goodRate, forgedRate)
	table := newTable("p50", "p99", "p99 without", "ratio of p99", "aim", "failed", "answers to the flood")
	for _, attack := range []struct {
		name, aim string
		target    call
		many      bool
	}{
		{"sent to the bare baseline instead", "", bareBytes(baseline, 100), false},
		{"sent from one address, the same as the good requests", "<= 2", goodCall(0), false},
		{"sent from many addresses", "<= 2", goodCall(0), true},
	} {
		flood := load{address: host(attack.target.url), clients: 128, rate: forgedRate, prepare: func(n int, request *fasthttp.Request) {
			attack.target.fill(request)
			request.Header.Set("X-API-Key", keys[n%len(keys)])
			if attack.many {
				address := uint32(n) * 2654435761 // scattered, rarely repeated
				request.Header.Set("X-Forwarded-For", fmt.Sprintf("11.%d.%d.%d", byte(address>>24), byte(address>>16), byte(address>>8)))
			}
		}}
		var during tally
		answers := b.beside(flood, func() { during = must(good.runFor(b.ctx, 5*b.length)) })
		before, after := percentile(quiet.times, 0.99), percentile(during.times, 0.99)
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%.2f\t%s\t%d\t%v\t\n", attack.name, ms(median(during.times)), ms(after), ms(before), ratio(after, before),
			attack.aim, during.failed(), answers)
	}
	must(0, table.Flush())
}

// forgeKey returns a well-formed key that does not exist.
func forgeKey() string {
	const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	random := func(length int) string {
		text := make([]byte, length)
		for i := range text {
			text[i] = base62[rand.IntN(len(base62))]
		}
		return string(text)
	}
	key := "dispo_" + random(12) + "_" + random(32)
	checksum, rest := []byte("000000"), crc32.ChecksumIEEE([]byte(key))
	for i := len(checksum) - 1; rest > 0; i-- {
		checksum[i] = base62[rest%62]
		rest /= 62
	}
	return key + string(checksum)
}
