import { toOere } from './amount.ts'
import { pause, type Change, type Company, type Dispo, type Page, type RequestOptions, type Transaction } from './client.ts'
import { Copy } from './copy.ts'

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
  /** The copy was damaged, so all data was read again. */
  restarted: boolean
}

/** A copy still differed from the API's number and sum after all data was read again. */
export class CopyDiffersError extends Error {
  override readonly name = 'CopyDiffersError'
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
const bulkRequests = 20 // that a bulk read counts as
const nothing: Readonly<Report> = { changed: false, companies: 0, new: 0, withdrawn: 0, restarted: false }

/** A copy that is being synced. */
class Syncing {
  readonly #dispo: Dispo
  readonly #copy: Copy
  readonly #options: RequestOptions
  #etag = '' // of the changes after the copy's, if it is proved
  #versions = new Set<string>() // of the round's responses
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
   * Handles the changes since the last one that the copy has, and says whether it is proved.
   * If it was proved the last time, waits for changes.
   *
   * Responses with one version belong together. If a round sees several, because the data
   * changed meanwhile or an instance is behind, the next one handles the same changes again.
   *
   * Nor may responses be older than the copy, or it would be proved at a version that has less.
   * A copy that is not proved may have rows of the newest version, so its round pauses first. A
   * proved copy has all changes of its version. If another version has none after them, it is
   * an older one, and the copy counts as not proved.
   */
  async #round(): Promise<boolean> {
    if (!this.#copy.state().after) await this.#start()
    const { after, version: proved } = this.#copy.state()
    if (!proved) {
      this.#etag = ''
      await pause(behind, this.#options.signal)
    }
    let newest = after
    let etag = ''
    const withdrawn: string[] = []
    const cvrs: string[] = []
    this.#versions.clear()
    for await (const page of this.#dispo.pages<Change>('/v1/changes', { ...this.#options, after }, this.#etag)) {
      if (page.unchanged) return false
      for (const change of page.data) {
        newest = change.id
        if (change.type === 'delivery.withdrawn' && change.cardNetworkDeliveryFileId) withdrawn.push(change.cardNetworkDeliveryFileId)
        if (change.type === 'company.changed' && change.cvr) cvrs.push(change.cvr)
      }
      this.#versions.clear() // what follows the last page belongs to it
      this.#saw(page.version)
      etag = page.etag
    }
    this.#etag = newest === after ? etag : '' // else it is of another list
    if (newest === after && this.#versions.has(proved)) return true
    if (newest === after && proved) {
      this.#copy.move(after, '')
      return false
    }
    this.#report.changed = true
    const companies = await this.#readCompanies(cvrs)
    if (withdrawn.length + companies.length > 0) {
      this.#copy.commit(() => {
        for (const id of withdrawn) this.#copy.withdraw(id)
        this.#copy.putCompanies(companies)
        this.#copy.move(after, '')
      })
    }
    const page = await this.#readTransactions()
    const consistent = this.#versions.size === 1
    const complete = this.#copy.commit(() => {
      this.#copy.add(page.data)
      const complete = consistent && this.#compare(page)
      this.#copy.move(consistent ? newest : after, complete ? page.version : '')
      return complete
    })
    this.#report.new += page.data.length
    if (consistent) {
      this.#report.withdrawn += withdrawn.length
      this.#report.companies += companies.length
      if (!complete) this.#restart()
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

  /** Lets a damaged copy begin again. */
  #restart(): void {
    if (this.#report.restarted) throw new CopyDiffersError("the copy differs from the API's number and sum")
    this.#report.restarted = true
    this.#copy.commit(() => this.#copy.move('', ''))
  }

  /** Begins a new copy, which follows the changes after the newest one. */
  async #start(): Promise<void> {
    const newest = await this.#dispo.newestChange(this.#options)
    await pause(behind, this.#options.signal)
    const companies = await this.#allCompanies(Infinity)
    this.#copy.commit(() => {
      this.#copy.clear()
      this.#copy.putCompanies(companies)
      this.#copy.move(newest, '')
    })
    this.#report.companies += companies.length
  }

  /** Reads all companies, or returns none if they have more pages than most. */
  async #allCompanies(most: number): Promise<Company[]> {
    const companies: Company[] = []
    for await (const page of this.#dispo.pages<Company>('/v1/companies', this.#options)) {
      if (page.meta.total > most * 100) return []
      companies.push(...page.data)
      this.#saw(page.version)
    }
    return companies
  }

  /** Reads companies that have changed, or all if that takes fewer requests. */
  async #readCompanies(cvrs: string[]): Promise<Company[]> {
    let companies: Company[] = []
    if (cvrs.length > fewCompanies) companies = await this.#allCompanies(cvrs.length) // the first page says how many there are
    if (companies.length > 0) return companies
    for (const cvr of cvrs) {
      const { company, version } = await this.#dispo.companyVersion(cvr, this.#options)
      companies.push(company)
      this.#saw(version)
    }
    return companies
  }

  /** Stores the transactions that the copy lacks, but for the last page, which it returns. Reads in bulk what has more pages than a bulk read counts as. */
  async #readTransactions(): Promise<Page<Transaction>> {
    for (;;) {
      for await (const page of this.#dispo.pages<Transaction>('/v1/transactions', { ...this.#options, after: this.#copy.last() })) {
        this.#saw(page.version)
        if (!page.meta.hasMore) return page
        this.#store(page.data)
        if (page.meta.total - Number(this.#copy.state().transactions) > bulkRequests * page.meta.limit) break
      }
      for await (const { data, version } of this.#dispo.bulk({ ...this.#options, after: this.#copy.last() })) {
        this.#saw(version)
        this.#store(data)
      }
    }
  }

  #store(transactions: Transaction[]): void {
    this.#copy.commit(() => this.#copy.add(transactions))
    this.#report.new += transactions.length
  }

  #saw(version: string): void {
    if (!version) throw new Error('a response has no X-Data-Version, so the copy cannot be proved: something between the service and this program removes the header')
    this.#versions.add(version)
  }
}
