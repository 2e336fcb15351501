// Copies your companies and their transactions into a folder, and proves that the copy
// is complete. Run it as often as you like, one run at a time: it reads only what is new,
// and one request tells it that nothing is.
//
//   DISPO_KEY=dispo_… node sync.ts [FOLDER]
//
// The folder has companies.jsonl, with a company on each line, and for each company
// CVR.jsonl, with its transactions. The id on the last line is the cursor. If a run is
// killed while it writes, the next one cuts off what is not a whole line, and goes on
// from there.
//
// The exit status is 0 if the copy is complete, 1 if it is not (run it again), and 2 if a
// setting is missing. Needs Node 22.18 or later, which runs TypeScript, and no packages.
import { closeSync, existsSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const key = (process.env.DISPO_KEY ?? '').trim()
const baseURL = process.env.DISPO_URL || 'https://dispo.example/api'
const folder = process.argv[2] ?? 'dispo-copy'
const maxTries = 5 // of one request

interface Company { id: string; cvr: string; name: string }
interface Transaction { id: string; amountDkk: string }
interface Page<T> { data: T[]; meta: { total: number; hasMore: boolean } }

/** Ends the program with a message. */
class Failure extends Error {}

/**
 * Requests a path, and returns the body and the headers; no body if the ETag is still
 * current. Waits and tries again if a limit is reached, the service is unavailable, or
 * the network fails.
 */
async function get<T>(path: string, etag = ''): Promise<{ page?: Page<T>; headers: Headers }> {
  const headers: Record<string, string> = { 'X-API-Key': key }
  if (etag) headers['If-None-Match'] = etag
  for (let attempt = 1; ; attempt++) {
    let wait = 2 ** (attempt - 1)
    let problem: string
    try {
      // The API never redirects, and the key must not follow to another server.
      const response = await fetch(baseURL + path, { headers, redirect: 'manual', signal: AbortSignal.timeout(30_000) })
      const text = await response.text()
      if (response.status === 200) return { page: JSON.parse(text), headers: response.headers }
      if (response.status === 304) return { headers: response.headers }
      problem = describe(response, text)
      if (response.status !== 429 && response.status < 500) throw new Failure(problem)
      const retryAfter = response.headers.get('Retry-After') ?? ''
      if (/^\d+$/.test(retryAfter)) wait = Number(retryAfter)
    } catch (error) {
      if (error instanceof Failure || error instanceof SyntaxError) throw error
      problem = messageOf(error)
    }
    if (attempt === maxTries) throw new Failure(`${problem}; gave up after ${maxTries} tries`)
    console.error(`${problem}; trying again in ${wait} s (try ${attempt} of ${maxTries})`)
    await sleep(wait * 1000)
  }
}

/** Returns the API's error as text. */
function describe(response: Response, text: string): string {
  let problem = 'this is not an answer of the API' // but of a proxy, perhaps
  try {
    const { code, message } = JSON.parse(text).error
    problem = `${code}: ${message}`
  } catch {}
  return `${response.status} ${problem} (X-Request-Id ${response.headers.get('X-Request-Id') ?? ''})`
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

/** Turns "1234.50" into 123450n øre. Amounts always have two decimals. */
function toOere(amount: string | null): bigint {
  if (amount === null || !/^-?\d+\.\d\d$/.test(amount)) throw new Failure(`${amount} is not an amount`)
  return BigInt(amount.replace('.', ''))
}

const toLines = (items: object[]): string => items.map((item) => JSON.stringify(item) + '\n').join('')

/** Writes a file so that it has the old text or the new one, whatever happens. */
function replace(name: string, text: string): void {
  const path = `${folder}/${name}`
  const file = openSync(path + '.new', 'w', 0o600)
  writeFileSync(file, text)
  fsyncSync(file)
  closeSync(file)
  renameSync(path + '.new', path)
}

/** The copy of one company's transactions. */
class Copy {
  file: number
  last = '' // the id of the last transaction
  count = 0
  sum = 0n // in øre

  constructor(cvr: string) {
    this.file = openSync(`${folder}/${cvr}.jsonl`, 'a+', 0o600)
    const bytes = readFileSync(this.file)
    let start = 0
    for (let end; (end = bytes.indexOf('\n', start)) >= 0; start = end + 1) {
      try {
        this.add(JSON.parse(bytes.toString('utf8', start, end)))
      } catch {
        break
      }
    }
    ftruncateSync(this.file, start)
  }

  add(transaction: Transaction): void {
    this.sum += toOere(transaction.amountDkk)
    this.count++
    this.last = transaction.id
  }

  append(transactions: Transaction[]): void {
    writeFileSync(this.file, toLines(transactions))
    fsyncSync(this.file)
    for (const transaction of transactions) this.add(transaction)
  }

  clear(): void {
    ftruncateSync(this.file, 0)
    this.last = ''
    this.count = 0
    this.sum = 0n
  }
}

/** Reads what the copy lacks of a company's transactions, and proves the copy by their number and sum. */
async function syncCompany({ cvr, name }: Company): Promise<void> {
  const copy = new Copy(cvr)
  for (let round = 0; round < 2; round++) {
    const had = copy.count
    for (;;) {
      const after = copy.last && `&after=${copy.last}`
      const { page, headers } = await get<Transaction>(`/v1/companies/${cvr}/transactions?limit=100${after}`)
      copy.append(page!.data)
      if (page!.meta.hasMore) continue
      const amount = headers.get('X-Total-Amount-Dkk')
      if (copy.count !== page!.meta.total || copy.sum !== toOere(amount)) break
      console.log(`${cvr} ${name}: ${copy.count} transactions, ${copy.count - had} new, ${amount} DKK`)
      closeSync(copy.file)
      return
    }
    console.error(`${cvr}: the copy differs: a delivery was withdrawn, or a file was damaged. Reading it again from the start.`)
    copy.clear()
  }
  throw new Failure(`${cvr}: number and sum keep changing`)
}

async function sync(): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // The ETag changes whenever anything of the organization changes.
  const etag = existsSync(`${folder}/etag`) ? readFileSync(`${folder}/etag`, 'utf8') : ''
  let { page, headers } = await get<Company>('/v1/companies?limit=100', etag)
  if (!page) {
    console.log('Nothing has changed since the copy was proved.')
    return
  }
  const companies = page.data
  await sleep(1000) // answers are up to a second behind the data, but now as new as the ETag
  while (page!.meta.hasMore) {
    ({ page } = await get<Company>(`/v1/companies?limit=100&after=${companies.at(-1)!.id}`))
    companies.push(...page!.data)
  }
  replace('companies.jsonl', toLines(companies))
  for (const company of companies) await syncCompany(company)
  // Kept only now, and from before the first read: a change since then is found next time.
  replace('etag', headers.get('ETag') ?? '')
  console.log(`${companies.length} companies. The copy is complete.`)
}

if (!/^dispo_\w+$/.test(key)) {
  console.error('Set DISPO_KEY to your API key.')
  process.exit(2)
}
try {
  await sync()
} catch (error) {
  console.error('The copy is not complete:', messageOf(error))
  process.exit(1)
}
