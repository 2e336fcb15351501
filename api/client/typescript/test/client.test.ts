import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { Dispo, DispoError, type Report } from '../src/index.ts'
import { cvrs, deliver, fail, proxy, rows, service } from './proxy.ts'

// An iteration visits all items of all pages once, in order, and requests no page that
// nobody asked for.
test('lists are iterated page by page', async (t) => {
  const { baseURL, requests } = await proxy(t)
  const dispo = new Dispo({ ...service, baseURL: `${baseURL}/` })
  const stored = await rows(cvrs[2])
  const read: unknown[] = []
  for await (const { id, amountDkk, rawLine } of dispo.transactions(cvrs[2])) read.push({ id, amountDkk, rawLine })
  assert.deepEqual(read, stored)
  assert.equal(requests.length, Math.ceil(stored.length / 3))

  const before = requests.length
  for await (const { id } of dispo.transactions(cvrs[2], { after: stored[0]!.id })) {
    assert.equal(id, stored[1]!.id)
    break
  }
  assert.equal(requests.length, before + 1)

  const companies: string[] = []
  for await (const { cvr } of dispo.companies()) companies.push(cvr)
  assert.deepEqual(companies, [...cvrs])
  assert.equal((await dispo.company(cvrs[0])).address, null)
})

// Every error of the API is a DispoError with its code and request id. Nothing contains
// the key.
test('errors have their code', async (t) => {
  const wrong = service.key.slice(0, -1) + (service.key.endsWith('x') ? 'y' : 'x')
  const { baseURL: page } = await proxy(t, (_n, _request, response) => void response.writeHead(404).end('<html>'))
  const wanted: [Dispo, string, number, string | undefined][] = [
    [new Dispo(service), '37065048', 404, 'COMPANY_NOT_FOUND'],
    [new Dispo(service), '1/2?', 400, 'BAD_REQUEST'],
    [new Dispo({ ...service, key: ` ${wrong}\n` }), cvrs[0], 401, 'UNAUTHORIZED'],
    [new Dispo({ ...service, baseURL: `${service.baseURL}/v1` }), cvrs[0], 404, 'NOT_FOUND'],
    [new Dispo({ ...service, baseURL: page }), cvrs[0], 404, undefined],
  ]
  for (const [dispo, cvr, status, code] of wanted) {
    const check = (error: unknown) => {
      assert(error instanceof DispoError)
      assert.deepEqual([error.status, error.code], [status, code])
      assert.equal(code === undefined, error.requestId === undefined)
      assert(!JSON.stringify([error, error.message, error.stack]).includes(wrong))
      return true
    }
    await assert.rejects(dispo.company(cvr), check)
    await assert.rejects(async () => {
      for await (const _ of dispo.transactions(cvr)) assert.fail('there are none')
    }, check)
  }
})

// A wrong setting is refused without a request, and without the key in the error.
test('wrong settings are refused', () => {
  for (const baseURL of ['', 'dispo.example/api', 'https://', 'https://dispo.example/api?x=1']) {
    assert.throws(() => new Dispo({ ...service, baseURL }), TypeError)
  }
  for (const key of ['', 'secret', 'dispo_a\nb']) {
    assert.throws(() => new Dispo({ ...service, key }), { name: 'TypeError', message: 'the key is not an API key of Dispo' })
  }
})

// A response that breaks off is asked for again.
test('a broken connection is tried again', async (t) => {
  const { baseURL, requests } = await proxy(t, (n, _request, response, forward) => {
    if (n > 1) return forward()
    response.writeHead(200, { 'Content-Length': 1000 }).write('{"id":', () => response.destroy())
  })
  assert.equal((await new Dispo({ ...service, baseURL }).company(cvrs[0])).cvr, cvrs[0])
  assert.equal(requests.length, 2)
})

// While nothing changes, follow sends one request that waits for 50 seconds after another,
// and copies each change at once.
test('follow waits for changes', async (t) => {
  const { baseURL } = await proxy(t, (_n, { headers: { prefer } }, _response, forward) => {
    if (prefer) {
      assert.equal(prefer, 'wait=50')
      void deliver(cvrs[0], 1)
    }
    return forward()
  })
  const path = await mkdtemp(join(tmpdir(), 'dispo-copy-'))
  t.after(() => rm(path, { recursive: true }))
  const reports: Report[] = []
  await new Dispo({ ...service, baseURL }).follow(join(path, 'dispo.sqlite'), (report) => reports.push(report) < 2)
  assert(reports[1]!.new > 0)
})

// A failure of the network is told with its cause, which fetch hides.
test('a failure of the network has its cause', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  const causes: string[] = []
  const company = new Dispo({ ...service, baseURL: `http://localhost:${port}/api`, tries: 2, onPause: ({ cause }) => causes.push(cause.message) }).company(cvrs[0])
  await assert.rejects(company, /^Error: no response to .*: connect ECONNREFUSED (127\.0\.0\.1|::1):\d+$/)
  assert.match(causes[0]!, /: connect ECONNREFUSED /)
})

// Nothing outlasts its signal, neither a request nor a pause.
test('a signal ends waiting', async (t) => {
  const { baseURL, requests } = await proxy(t, (_n, _request, response) => fail(response, 429, 'RATE_LIMIT_EXCEEDED', 3600))
  const stop = new AbortController()
  const dispo = new Dispo({ ...service, baseURL, onPause: () => stop.abort(new Error('stop')) })
  await assert.rejects(dispo.company(cvrs[0], { signal: stop.signal }), { message: 'stop' })
  await assert.rejects(dispo.company(cvrs[0], { signal: stop.signal }), { message: 'stop' })
  assert.equal(requests.length, 1)
})
