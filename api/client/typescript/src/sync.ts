import { toOere } from './amount.ts'
import { maxWait, type Change, type Company, type Dispo, type Moment, type Page, type RequestOptions, type Transaction } from './client.ts'
import { clock, step } from './clock.ts'
import { Copy } from './copy.ts'
import { DispoError } from './error.ts'
import { bulkRequests } from './pace.ts'

/** Describes what a sync did. */
export interface Report {
  /** False if nothing had changed. The other fields are then empty. */
  changed: boolean
  /** How many companies were new or had changed. */
  companies: number
  /** How many transactions were new. */
  new: number
  /** How many delivery files were withdrawn. */
  withdrawn: number
  /** All data was read again: the copy was damaged, or see HistoryError. */
  restarted: boolean
}

/** A copy still differed from the API's number and sum after all data was read again. */
export class CopyDiffersError extends Error {
  override readonly name = 'CopyDiffersError'
}

/** The cause of a pause after which all data is read again, because the copy does not belong to the data that the service has now. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError'
}

/** The cause of a pause after a request that should have waited for a change. */
export class NoWaitError extends Error {
  override readonly name = 'NoWaitError'
}

export async function follow(dispo: Dispo, path: string, synced: (report: Report) => boolean, options: RequestOptions): Promise<void> {
  const copy = new Copy(path)
  try {
    await new Syncing(dispo, copy, options).follow(synced)
  } finally {
    copy.close()
  }
}

const behind = 1 // seconds that responses may be behind the data; after that time, all are as new as one from before it
const fewCompanies = 10 // are read one by one, however many there are
const nothing: Readonly<Report> = { changed: false, companies: 0, new: 0, withdrawn: 0, restarted: false }

/** A copy that is being synced. */
class Syncing {
  readonly #dispo: Dispo
  readonly #copy: Copy
  readonly #options: RequestOptions
  #etag = '' // of the changes after the copy's, if it is proved
  #version = '' // of the round's changes
  #mixed = false // a response of the round had another version
  #history: string | undefined // of the copy; undefined: it starts
  #idle = 0 // rounds that found nothing, and did not wait for it
  #report = { ...nothing }

  constructor(dispo: Dispo, copy: Copy, options: RequestOptions) {
    this.#dispo = dispo
    this.#copy = copy
    this.#options = options
  }

  async follow(synced: (report: Report) => boolean): Promise<void> {
    for (let first = true; ; ) {
      if (!(await this.#round()) || !(first || this.#report.changed)) continue
      if (!synced(this.#report)) return
      first = false
      this.#report = { ...nothing }
    }
  }

  /**
   * Pauses, if there is a reason to, handles the changes since the last one that the copy has,
   * and says whether it is proved. If it was proved the last time, waits for changes.
   */
  async #round(): Promise<boolean> {
    let before = this.#moved()
    let etag = ''
    let since = clock.now()
    let proved = false
    try {
      await this.#begin()
      before = this.#moved()
      etag = this.#etag
      since = clock.now()
      proved = await this.#handle()
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error
      this.#dispo.paused(behind, error)
      this.#restart()
    }
    const waited = clock.now() - since >= maxWait - 1
    this.#idle = before !== this.#moved() || (etag === '' && this.#etag !== '') || (etag !== '' && waited) ? 0 : this.#idle + 1
    return proved
  }

  /** What changes if there is something new. */
  #moved(): string {
    const { after, history, transactions, amountOere } = this.#copy.state()
    return [after, history, transactions, amountOere].join()
  }

  /**
   * Pauses if the last rounds found nothing and did not wait for it, or if the copy is not
   * proved. Starts the copy if it is empty.
   */
  async #begin(): Promise<void> {
    if (!this.#copy.state().after) await this.#start()
    const { version, history } = this.#copy.state()
    this.#history = history
    const seconds = this.#idle > 0 ? step(this.#idle) : 0
    if (version) {
      const cause = 'the service did not wait for a change: does a proxy remove or change Prefer, If-None-Match or ETag?'
      return this.#dispo.pause(seconds, seconds > 0 ? new NoWaitError(cause) : undefined, this.#options)
    }
    this.#etag = ''
    return this.#dispo.pause(Math.max(seconds, behind), undefined, this.#options)
  }

  /**
   * Handles the changes since the last one that the copy has.
   *
   * Responses with one version belong together. If a round sees several, because the data
   * changed meanwhile or an instance is behind, the next one handles the same changes again.
   *
   * Nor may responses be older than the copy, or it would be proved at a version that has less.
   * A copy that is not proved may have rows of the newest version, so its round pauses first. A
   * proved copy has all changes of its version. If another version has none after them, it is
   * an older one, and the copy counts as not proved.
   */
  async #handle(): Promise<boolean> {
    const { after, version: proved, history } = this.#copy.state()
    let newest = after
    let etag = ''
    const withdrawn: string[] = []
    const cvrs: string[] = []
    for await (const page of this.#dispo.pages<Change>('/v1/changes', { ...this.#options, after }, this.#etag)) {
      if (!page.unchanged) {
        for (const change of page.data) {
          newest = change.id
          if (change.type === 'delivery.withdrawn' && change.cardNetworkDeliveryFileId) withdrawn.push(change.cardNetworkDeliveryFileId)
          if (change.type === 'company.changed' && change.cvr) cvrs.push(change.cvr)
        }
      } else if (!page.at.version) page.at.version = proved // proxies leave headers out of a 304
      this.#version = page.at.version // what follows the last page belongs to it
      this.#mixed = false
      if (proved && !history && page.at.history && newest === after && proved === this.#version) { // the copy is of this version, and so of its history
        this.#copy.move({ history: page.at.history })
        this.#history = page.at.history
      }
      this.#saw(page.at)
      if (page.unchanged) return false
      etag = page.etag
    }
    this.#etag = newest === after ? etag : '' // else it is of another list
    if (newest === after && this.#version === proved) return true
    if (newest === after && proved) {
      this.#copy.move({ version: '' })
      return false
    }
    this.#report.changed = true
    const companies = await this.#readCompanies(cvrs)
    if (withdrawn.length + companies.length > 0) {
      this.#copy.commit(() => {
        for (const id of withdrawn) this.#copy.withdraw(id)
        this.#copy.putCompanies(companies)
        this.#copy.move({ version: '' })
      })
    }
    const page = await this.#readTransactions()
    const complete = this.#copy.commit(() => {
      this.#copy.add(page.data)
      const complete = !this.#mixed && this.#compare(page)
      this.#copy.move({ after: this.#mixed ? after : newest, version: complete ? page.at.version : '' })
      return complete
    })
    this.#report.new += page.data.length
    if (!this.#mixed) {
      this.#report.withdrawn += withdrawn.length
      this.#report.companies += companies.length
      if (!complete) {
        if (this.#report.restarted) throw new CopyDiffersError("the copy differs from the API's number and sum")
        this.#restart()
      }
    }
    return complete
  }

  /** Says whether the copy has a page's number and sum. If they differ, counts the rows themselves. */
  #compare({ meta, totalAmount }: Page<Transaction>): boolean {
    const equal = () => {
      const { transactions, amountOere } = this.#copy.state()
      return transactions === BigInt(meta.total) && amountOere === toOere(totalAmount)
    }
    if (!equal()) this.#copy.recount()
    return equal()
  }

  /** Lets the copy begin again. The old rows stay until there are others. */
  #restart(): void {
    this.#report.restarted = true
    this.#copy.move({ after: '', version: '', history: '' })
  }

  /** Begins a new copy, which follows the changes after the newest one. It belongs to the history of its companies. */
  async #start(): Promise<void> {
    const after = await this.#dispo.newestChange(this.#options)
    await clock.pause(behind, this.#options.signal)
    this.#history = undefined
    const companies = await this.#allCompanies(Infinity)
    this.#copy.commit(() => {
      this.#copy.clear()
      this.#copy.putCompanies(companies)
      this.#copy.move({ after, version: '', history: this.#history ?? '' })
    })
    this.#report.companies += companies.length
  }

  /** Reads all companies, or returns none if they have more pages than most. */
  async #allCompanies(most: number): Promise<Company[]> {
    const companies: Company[] = []
    for await (const page of this.#dispo.pages<Company>('/v1/companies', this.#options)) {
      if (page.meta.total > most * 100) return []
      companies.push(...page.data)
      this.#saw(page.at)
    }
    return companies
  }

  /** Reads companies that have changed, or all if that takes fewer requests. */
  async #readCompanies(cvrs: string[]): Promise<Company[]> {
    let companies: Company[] = []
    if (cvrs.length > fewCompanies) companies = await this.#allCompanies(cvrs.length) // the first page says how many there are
    if (companies.length > 0) return companies
    for (const cvr of cvrs) {
      try {
        const { company, at } = await this.#dispo.companyVersion(cvr, this.#options)
        companies.push(company)
        this.#saw(at)
      } catch (error) {
        if (!(error instanceof DispoError && error.code === 'COMPANY_NOT_FOUND')) throw error
        this.#mixed = true // an instance is behind, or the data went back in time
      }
    }
    return companies
  }

  /** Stores the transactions that the copy lacks, but for the last page, which it returns. Reads in bulk what has more pages than a bulk read counts as. */
  async #readTransactions(): Promise<Page<Transaction>> {
    for (;;) {
      for await (const page of this.#dispo.pages<Transaction>('/v1/transactions', { ...this.#options, after: this.#copy.last() })) {
        this.#saw(page.at)
        if (!page.meta.hasMore) return page
        this.#store(page.data)
        if (page.meta.total - Number(this.#copy.state().transactions) > bulkRequests * page.meta.limit) break
      }
      for await (const { data, at } of this.#dispo.bulk({ ...this.#options, after: this.#copy.last() })) {
        this.#saw(at)
        this.#store(data)
      }
    }
  }

  #store(transactions: Transaction[]): void {
    this.#copy.commit(() => this.#copy.add(transactions))
    this.#report.new += transactions.length
  }

  /** Notes which data a response shows. One that does not name its history may be of the copy's. */
  #saw({ version, history }: Moment): void {
    this.#mixed ||= version !== this.#version
    if (!version) throw new Error('a response has no X-Data-Version, so the copy cannot be proved: something between the service and this program removes the header')
    if (!history) return
    this.#history ??= history
    if (history !== this.#history) throw new HistoryError("the service's data has another history than the copy, because it went back in time or is another organization's: all data is read again")
  }
}
