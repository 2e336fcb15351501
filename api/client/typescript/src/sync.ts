import { toOere } from './amount.ts'
import { pause, type Change, type Company, type Dispo, type Page, type RequestOptions, type Transaction } from './client.ts'

/**
 * Keeps a copy of an organization's companies and transactions. A store in a database does
 * each call but lock in one transaction.
 *
 * If the program is killed during append, the store has none of the transactions, all of
 * them, or the first few, and its position agrees. Every other call is done as a whole or not
 * at all, and may be repeated.
 */
export interface Store {
  /**
   * Keeps other programs from syncing the copy until the returned function is called or the
   * process ends, however it ends. Throws a LockedError if the copy is locked already. A
   * store in PostgreSQL can use pg_try_advisory_lock.
   */
  lock(): Promise<() => Promise<void>>
  /** Returns the value of the last call of setState, or one with empty fields. */
  state(): Promise<State>
  setState(state: State): Promise<void>
  /** Removes the copy's companies and transactions, and adds the companies. */
  start(companies: Company[]): Promise<void>
  /** Adds companies, and replaces those that have the same CVR number. */
  putCompanies(companies: Company[]): Promise<void>
  /** Removes the transactions of delivery files. */
  withdraw(deliveryFileIds: string[]): Promise<void>
  /** Adds transactions, in this order. Afterwards, a crash of the machine does not lose them. */
  append(transactions: Transaction[]): Promise<void>
  /** Returns what is stored of the transactions. Counts and adds what it finds, and relies on nothing that it remembers. */
  position(): Promise<Position>
}

/** Says up to where a copy follows the changes. */
export interface State {
  /** The id of the last change that was handled. Empty if there is no copy yet. */
  after: string
  /** The version of the data that the copy was proved against. Empty if it is not proved. */
  version: string
}

/** Describes what a copy has of the transactions. */
export interface Position {
  /** The greatest id, or an empty string. */
  last: string
  count: number
  /** The sum of the amounts, such as "1234.50". */
  sum: string
}

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

/** A copy still differed from the API's count and sum after all data was read again. */
export class CopyDiffersError extends Error {
  override readonly name = 'CopyDiffersError'
}

/** Another program is syncing the copy. */
export class LockedError extends Error {
  override readonly name = 'LockedError'
}

export async function follow(dispo: Dispo, store: Store, synced: (report: Report) => boolean, options: RequestOptions): Promise<void> {
  const unlock = await store.lock()
  try {
    await new Syncing(dispo, store, await store.state(), options).follow(synced)
  } finally {
    await unlock()
  }
}

const behind = 1 // seconds that responses may be behind the data; after that time, all are as new as one from before it
const fewCompanies = 10 // are read one by one, however many there are
const nothing: Readonly<Report> = { changed: false, companies: 0, new: 0, withdrawn: 0, restarted: false }

/** A copy that is being synced. */
class Syncing {
  readonly #dispo: Dispo
  readonly #store: Store
  readonly #options: RequestOptions
  #state: State
  #etag = '' // of the changes after the state's, if the copy is proved
  #version = '' // of the round's changes
  #mixed = false // a response of the round had another version
  #differs = false // the copy did from the list of transactions
  #report = { ...nothing }

  constructor(dispo: Dispo, store: Store, state: State, options: RequestOptions) {
    this.#dispo = dispo
    this.#store = store
    this.#state = state
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
   * Handles the changes since the state, and says whether the copy is proved. If it was
   * proved the last time, waits for changes.
   *
   * Responses with one version belong together. If a round sees several, because the data
   * changed meanwhile or an instance is behind, the next one handles the same changes again,
   * after a pause in which all instances hear of them.
   */
  async #round(): Promise<boolean> {
    if (!this.#state.after) await this.#start()
    let { after } = this.#state
    const withdrawn: string[] = []
    const cvrs: string[] = []
    let etag = ''
    for await (const page of this.#dispo.pages<Change>('/v1/changes', { ...this.#options, after }, this.#etag)) {
      if (page.unchanged) return false
      for (const change of page.data) {
        after = change.id
        if (change.type === 'delivery.withdrawn' && change.cardNetworkDeliveryFileId) withdrawn.push(change.cardNetworkDeliveryFileId)
        if (change.type === 'company.changed' && change.cvr) cvrs.push(change.cvr)
      }
      this.#version = page.version
      etag = page.etag
    }
    this.#etag = ''
    this.#mixed = false
    if (after !== this.#state.after) etag = '' // it is of another list
    else if (this.#version === this.#state.version) {
      this.#etag = etag
      return true
    }
    if (this.#state.version) await this.#setState({ after: this.#state.after, version: '' }) // from here on, the copy is not what was proved
    this.#report.changed = true
    if (withdrawn.length > 0) await this.#store.withdraw(withdrawn)
    const companies = await this.#readCompanies(cvrs)
    const list = await this.#readTransactions()
    if (!this.#mixed && (await this.#prove(list))) {
      this.#report.withdrawn += withdrawn.length
      this.#report.companies += companies
      this.#etag = etag
      await this.#setState({ after, version: this.#version })
      return true
    }
    if (this.#state.after) await pause(behind, this.#options.signal)
    return false
  }

  /** Compares the copy with a list of transactions. If they differ twice, the copy is damaged, and starts again. */
  async #prove(list: Page<Transaction>): Promise<boolean> {
    const { count, sum } = await this.#store.position()
    const differed = this.#differs
    this.#differs = count !== list.meta.total || toOere(sum) !== toOere(list.totalAmount)
    if (!this.#differs || !differed) return !this.#differs // perhaps the copy is newer than this list
    if (this.#report.restarted) throw new CopyDiffersError("the copy differs from the API's count and sum")
    this.#differs = false
    this.#report.restarted = true
    await this.#setState({ after: '', version: '' })
    return false
  }

  async #setState(state: State): Promise<void> {
    await this.#store.setState(state)
    this.#state = state
  }

  /** Begins a new copy, which follows the changes after the newest one. */
  async #start(): Promise<void> {
    const after = await this.#dispo.newestChange(this.#options)
    await pause(behind, this.#options.signal)
    const companies = await this.#allCompanies(Infinity)
    await this.#store.start(companies)
    this.#report.companies += companies.length
    await this.#setState({ after, version: '' })
  }

  /** Reads all companies, or returns none if they have more pages than most. */
  async #allCompanies(most: number): Promise<Company[]> {
    const companies: Company[] = []
    for await (const page of this.#dispo.pages<Company>('/v1/companies', this.#options)) {
      if (page.meta.total > most * 100) return []
      companies.push(...page.data)
      this.#mixed ||= page.version !== this.#version
    }
    return companies
  }

  /** Reads companies that have changed, or all if that takes fewer requests, and returns how many. */
  async #readCompanies(cvrs: string[]): Promise<number> {
    let companies: Company[] = []
    if (cvrs.length > fewCompanies) companies = await this.#allCompanies(cvrs.length) // the first page says how many there are
    if (companies.length === 0) {
      for (const cvr of cvrs) {
        const { company, version } = await this.#dispo.companyVersion(cvr, this.#options)
        companies.push(company)
        this.#mixed ||= version !== this.#version
      }
    }
    if (companies.length > 0) await this.#store.putCompanies(companies)
    return companies.length
  }

  /** Reads the transactions that the copy lacks, and returns the last page. */
  async #readTransactions(): Promise<Page<Transaction>> {
    const { last: after } = await this.#store.position()
    let last!: Page<Transaction>
    for await (const page of this.#dispo.pages<Transaction>('/v1/transactions', { ...this.#options, after })) {
      if (page.data.length > 0) await this.#store.append(page.data)
      this.#report.new += page.data.length
      this.#mixed ||= page.version !== this.#version
      last = page
    }
    return last
  }
}
