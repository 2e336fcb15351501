import { toOere } from './amount.ts'
import { pause } from './client.ts'
import type { Company, Dispo, RequestOptions, Transaction } from './client.ts'

/**
 * Keeps a copy of an organization's companies and transactions. A store in a database does
 * each call but lock in one transaction.
 *
 * If the program is killed during append, the store has none of the transactions, all of
 * them, or the first few, and its position agrees.
 */
export interface Store {
  /**
   * Keeps other programs from syncing the copy until the returned function is called or the
   * process ends, however it ends. Throws a LockedError if the copy is locked already. A
   * store in PostgreSQL can use pg_try_advisory_lock.
   */
  lock(): Promise<() => Promise<void>>
  /** Returns the value of the last call of done, or an empty string. */
  etag(): Promise<string>
  /** Replaces the companies. */
  setCompanies(companies: Company[]): Promise<void>
  /** Returns what is stored of a company's transactions. Counts and adds what it finds, and relies on nothing that it remembers. */
  position(cvr: string): Promise<Position>
  /** Adds transactions of a company, in this order. Afterwards, a crash of the machine does not lose them. */
  append(cvr: string, transactions: Transaction[]): Promise<void>
  /** Removes all transactions of a company. */
  clear(cvr: string): Promise<void>
  /** Is called when the copy is complete. */
  done(etag: string): Promise<void>
}

/** Describes what a copy has of a company's transactions. */
export interface Position {
  /** The id of the last transaction, or an empty string. */
  last: string
  count: number
  /** The sum of the amounts, such as "1234.50". */
  sum: string
}

/** Describes what a sync did. */
export interface Report {
  /** For changed, to wait for the next change. */
  etag: string
  /** False if nothing had changed. The other fields are then empty. */
  changed: boolean
  companies: number
  /** How many transactions were read. */
  new: number
  /** The CVR numbers of companies whose transactions were read again from the start, because some of those in the copy had been withdrawn. */
  restarted: string[]
}

/** A copy still differed from the API's count and sum after it was read again from the start. Sync again later. */
export class CopyDiffersError extends Error {
  override readonly name = 'CopyDiffersError'
  readonly cvr: string

  constructor(cvr: string) {
    super(`the copy of company ${cvr} differs from the API's count and sum`)
    this.cvr = cvr
  }
}

/** Another program is syncing the copy. */
export class LockedError extends Error {
  override readonly name = 'LockedError'
}

export async function sync(dispo: Dispo, store: Store, options: RequestOptions): Promise<Report> {
  const unlock = await store.lock()
  try {
    return await syncLocked(dispo, store, options)
  } finally {
    await unlock()
  }
}

async function syncLocked(dispo: Dispo, store: Store, options: RequestOptions): Promise<Report> {
  // The ETag from before the first read: a change since then is found the next time.
  const { etag, changed } = await dispo.changed(await store.etag(), options)
  const report: Report = { etag, changed, companies: 0, new: 0, restarted: [] }
  if (!changed) return report
  await pause(1, options.signal) // responses are up to a second behind the data, and after a second as new as the ETag
  const companies: Company[] = []
  for await (const company of dispo.companies(options)) companies.push(company)
  await store.setCompanies(companies)
  for (const { cvr } of companies) {
    await syncCompany(dispo, store, cvr, report, options)
    report.companies++
  }
  await store.done(etag)
  return report
}

async function syncCompany(dispo: Dispo, store: Store, cvr: string, report: Report, options: RequestOptions): Promise<void> {
  for (let round = 0; round < 2; round++) {
    if (await readNew(dispo, store, cvr, report, options)) return
    report.restarted.push(cvr)
    await store.clear(cvr)
  }
  throw new CopyDiffersError(cvr)
}

/** Reads what the copy lacks of a company's transactions, and says whether its count and sum are the API's. */
async function readNew(dispo: Dispo, store: Store, cvr: string, report: Report, options: RequestOptions): Promise<boolean> {
  const { last } = await store.position(cvr)
  let total = 0
  let totalAmount: string | null = null
  for await (const page of dispo.transactionPages(cvr, { ...options, after: last })) {
    if (page.data.length > 0) await store.append(cvr, page.data)
    report.new += page.data.length
    total = page.meta.total
    totalAmount = page.totalAmount
  }
  const { count, sum } = await store.position(cvr)
  return count === total && toOere(sum) === toOere(totalAmount)
}
