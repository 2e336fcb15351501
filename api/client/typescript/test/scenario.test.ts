import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'

import { clock } from '../src/clock.ts'
import { Dispo, type Report } from '../src/index.ts'

// The scenarios are those of the Go client, whose test explains the fields.

interface Exchange {
  at: number
  request: string
  wait?: string
  seconds?: number
  status?: number
  fails?: boolean
  code?: string
  retryAfter?: string
  text?: string
  etag?: string
  version?: string
  history?: string
  policy?: string
  bulk?: 'whole' | 'no last line' | 'half a line'
  more?: boolean
  limit?: number
  companies?: string[]
  changes?: string[]
  transactions?: string[]
  total?: number
  sum?: string
}

interface Rows {
  after: string
  version: string
  history: string
  companies: string[]
  transactions: string[]
  counted?: [number, number]
}

interface Scenario {
  name: string
  kept?: Rows
  edition?: number
  follow?: boolean
  tries?: number
  maxPause?: number
  exchanges: Exchange[]
  pauses?: [number, string][]
  reports: Partial<Report>[]
  error?: string
  copy: Rows
}

const list = <T>(items: string[] | undefined, item: (id: string, second: string, third: string) => T): T[] =>
  (items ?? []).map((text) => item(...(text.split(' ', 3) as [string, string, string])))
const day = '2026-01-02T03:04:05.000Z'

const transaction = (id: string, cardNetworkDeliveryFileId: string, amountDkk: string) => ({
  id, cardNetworkDeliveryFileId, amountDkk, recordIndex: 0, cvr: '10000009', regNumber: '1234', accountNumber: '1', transferType: 'CARD', dispositionDate: '2026-01-01',
  count: 1, rawLine: '', filename: '',
})

function text(e: Exchange): string | null {
  if (e.text !== undefined) return e.text
  if ((e.status ?? 200) !== 200 && !e.code) return null
  if (!e.bulk) return JSON.stringify(body(e))
  const transactions = list(e.transactions, transaction)
  const lines = transactions.map((x) => `${JSON.stringify(x)}\n`).join('')
  if (e.bulk === 'whole') return `${lines}${JSON.stringify({ meta: { count: transactions.length } })}\n`
  return e.bulk === 'half a line' ? lines.slice(0, -20) : lines
}

function body(e: Exchange): unknown {
  const meta = { total: e.total ?? 0, limit: e.limit ?? 1000, hasMore: e.more ?? false }
  const companies = list(e.companies, (cvr, name) => ({ id: cvr, cvr, name, startDate: '2026-01-01', endDate: '9999-12-31', status: 'CREATED', createdAt: day, updatedAt: day }))
  const path = e.request.split('?')[0]!
  if (e.code) return { error: { code: e.code, message: 'The scenario says so.' } }
  if (path === '/v1/companies') return { data: companies, meta }
  if (path.startsWith('/v1/companies/')) return companies[0]
  if (path === '/v1/changes') {
    const change = (id: string, type: string, of: string) =>
      type === 'company' ? { id, type: 'company.changed', cvr: of, createdAt: day } : { id, type: `delivery.${type}`, cardNetworkDeliveryFileId: of, createdAt: day }
    return { data: list(e.changes, change), meta }
  }
  return { data: list(e.transactions, transaction), meta }
}

function query(path: string, sql: string): string[] {
  const database = new DatabaseSync(path)
  try {
    return database.prepare(sql).all().map((row) => Object.values(row).join('|'))
  } finally {
    database.close()
  }
}

const oere = (amount: string) => amount.replace('.', '')

async function keep(path: string, { kept, edition }: Scenario): Promise<void> {
  const database = new DatabaseSync(path)
  database.exec((await readFile('../schema.sql', 'utf8')) + 'CREATE INDEX mine ON transactions (cvr); CREATE VIEW my_view AS SELECT count(*) FROM transactions')
  if (edition === 1) database.exec('ALTER TABLE copy DROP COLUMN history; PRAGMA user_version = 1')
  if (edition === 99) database.exec('PRAGMA user_version = 99')
  const { after, version, history, companies, transactions, counted } = kept!
  list(companies, (cvr, name) => database.prepare("INSERT INTO companies VALUES (?, ?, ?, NULL, '', '', '', NULL, NULL, NULL, NULL, NULL, '', '')").run(cvr, cvr, name))
  list(transactions, (id, file, amount) =>
    database.prepare("INSERT INTO transactions VALUES (?, ?, 0, '', '', '', '', '', 1, ?, '', NULL, NULL, '', NULL)").run(id, file, Number(oere(amount))))
  if (counted) database.prepare('UPDATE copy SET transactions = ?, amountOere = ?').run(...counted)
  database.prepare('UPDATE copy SET after = ?, version = ?').run(after, version)
  if (edition !== 1) database.prepare('UPDATE copy SET history = ?').run(history)
  database.close()
}

async function run(t: TestContext, s: Scenario): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dispo-copy-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'dispo.sqlite')
  if (s.kept) await keep(path, s)
  const { exchanges, pauses = [] } = s
  let now = 0
  clock.now = () => now
  clock.pause = async (seconds, signal) => {
    signal?.throwIfAborted()
    now += seconds
  }
  const ended = new Error('there is no answer left')
  const stop = new AbortController()
  let n = 0
  const common = new Headers()
  const answer: typeof fetch = async (input, init) => {
    const e = exchanges[n++]
    if (!e) {
      n--
      assert(s.follow, `one request too many: ${input}`)
      stop.abort(ended)
      throw ended
    }
    const url = new URL(String(input))
    url.searchParams.sort()
    const headers = new Headers(init!.headers)
    assert.match(headers.get('User-Agent')!, /^dispo-client-ts\/\d/)
    assert.deepEqual(
      [url.pathname.replace('/api', '') + url.search, headers.get('If-None-Match'), headers.get('Prefer'), headers.get('Accept'), now],
      [e.request, e.wait ?? null, e.wait ? 'wait=50' : null, e.bulk ? 'application/x-ndjson' : null, e.at], `request ${n}`)
    now += e.seconds ?? 0
    for (const [name, value] of Object.entries({ 'X-Data-Version': e.version, 'X-Data-History': e.history, 'RateLimit-Policy': e.policy })) {
      if (value !== undefined) common.set(name, value)
    }
    if (e.fails) throw new TypeError('fetch failed', { cause: new Error('the scenario has no network') })
    const answered = new Headers(common)
    for (const [name, value] of Object.entries({ ETag: e.etag, 'Retry-After': e.retryAfter, 'X-Total-Amount-Dkk': e.sum })) if (value) answered.set(name, value)
    return new Response(text(e), { status: e.status ?? 200, headers: answered })
  }
  let paused = 0
  const dispo = new Dispo({
    baseURL: 'https://dispo.example/api', key: 'dispo_x', fetch: answer, ...(s.tries ? { tries: s.tries } : {}), ...(s.maxPause ? { maxPause: s.maxPause } : {}),
    onPause: ({ seconds, cause }) => {
      if (n === exchanges.length && s.follow) return stop.abort(ended)
      assert.equal(seconds, pauses[paused]?.[0], cause.message)
      assert(cause.message.includes(pauses[paused++]![1]), cause.message)
    },
  })
  const reports: Report[] = []
  const { signal } = stop
  const running = s.follow ? dispo.follow(path, (report) => reports.push(report) > 0, { signal }) : dispo.sync(path, { signal }).then((report) => void reports.push(report))
  if (s.error) await assert.rejects(running, (error: Error) => error.message.includes(s.error!))
  else if (s.follow) await assert.rejects(running, ended)
  else await running
  assert.deepEqual([n, paused], [exchanges.length, pauses.length])
  assert.deepEqual(reports, s.reports.map((report) => ({ changed: false, companies: 0, new: 0, withdrawn: 0, restarted: false, ...report })))
  const { after, version, history, companies, transactions } = s.copy
  assert.deepEqual(query(path, "SELECT cvr || ' ' || name FROM companies ORDER BY cvr"), companies)
  assert.deepEqual(query(path, "SELECT id || ' ' || cardNetworkDeliveryFileId || ' ' || amountOere FROM transactions ORDER BY id"), list(transactions, (id, file, amount) => `${id} ${file} ${oere(amount)}`))
  assert.deepEqual(query(path, 'SELECT after, version, history FROM copy'), [`${after}|${version}|${history}`])
  if (s.kept) assert.deepEqual(query(path, "SELECT name FROM sqlite_master WHERE name IN ('mine', 'my_view') ORDER BY name"), ['mine', 'my_view'])
}

// A client keeps a copy that is right whatever it meets, sends the requests that it must and
// no others, at the times that it must, and says why it pauses.
const scenarios: Scenario[] = JSON.parse(await readFile('../test/scenarios.json', 'utf8'))
for (const s of scenarios) test(s.name, (t) => run(t, s))
