import { clock, step } from './clock.ts'
import { DispoError, reason } from './error.ts'
import { Pace } from './pace.ts'
import type { components } from './schema.ts'
import { follow, type Report } from './sync.ts'

export type Company = components['schemas']['Company']
export type Transaction = components['schemas']['Transaction']
export type Change = components['schemas']['Change']
export type Day = components['schemas']['Day']
type PageMeta = components['schemas']['PageMeta']

export interface DispoOptions {
  /** The API's address, such as https://dispo.example/api. */
  baseURL: string
  /** The organization's API key. No error contains it. */
  key: string
  /** Sends the requests. The default is the platform's fetch. */
  fetch?: typeof fetch
  /** Seconds for one try of a request. The default is 30. */
  timeout?: number
  /** The number of times that a request is sent before its error is thrown. The default is 5. `follow` never gives up. */
  tries?: number
  /**
   * The longest pause before another try, in seconds. The default is an hour. If the API asks
   * for a longer one, its error is thrown at once, but `follow` tries again after maxPause.
   */
  maxPause?: number
  /** Called before each pause that an error or a proxy makes necessary. */
  onPause?: (pause: Pause) => void
}

/** A pause before another try, and what made it necessary. */
export interface Pause {
  seconds: number
  cause: Error
}

export interface RequestOptions {
  /** Ends the request, and any wait. */
  signal?: AbortSignal
}

export interface ListOptions extends RequestOptions {
  /** The id of the last item that you have. The default is the start of the list. */
  after?: string | undefined
}

/** A page of a list. */
export interface Page<T> {
  data: T[]
  meta: PageMeta
  /** The sum of the whole list, of transactions only. */
  totalAmount: string
  at: Moment
  etag: string
  /** It is still what the caller has, and the rest is empty. */
  unchanged: boolean
}

/** Says which data a response shows. Responses with the same moment show the same. */
export interface Moment {
  version: string
  history: string
}

/** The client's version. */
export const version = '1.0.0'

export const maxWait = 50 // seconds; the most that the API allows; many proxies end a request after 60 seconds
const bulkBatch = 5000 // transactions that are handed on at once
const defaults = { timeout: 30, tries: 5, maxPause: 3600 }

/** Reads the data of one organization. */
export class Dispo {
  readonly #options: DispoOptions & typeof defaults
  #following: Pace | undefined // of follow

  /** Throws a TypeError if the address or the key cannot be right. Sends nothing. */
  constructor(options: DispoOptions) {
    const key = options.key.trim()
    if (!/^dispo_\w+$/.test(key)) throw new TypeError('the key is not an API key of Dispo')
    if (!/^https?:\/\/[^/?#]+[^?#]*$/.test(options.baseURL)) throw new TypeError('the base URL is not an address such as https://dispo.example/api')
    this.#options = { ...defaults, ...options, key, baseURL: options.baseURL.replace(/\/+$/, '') }
  }

  /** Yields the companies, page by page as they are needed. */
  companies(options: ListOptions = {}): AsyncGenerator<Company, void, undefined> {
    return items(this.pages<Company>('/v1/companies', options))
  }

  /** Returns the company with a CVR number. */
  async company(cvr: string, options: RequestOptions = {}): Promise<Company> {
    return (await this.companyVersion(cvr, options)).company
  }

  /** Yields the transactions of a company, or of all companies if the CVR number is empty, page by page as they are needed. */
  transactions(cvr: string, options: ListOptions = {}): AsyncGenerator<Transaction, void, undefined> {
    return items(this.pages<Transaction>(cvr ? `${companyPath(cvr)}/transactions` : '/v1/transactions', options))
  }

  /** Yields what happened to the organization's data, page by page as they are needed. */
  changes(options: ListOptions = {}): AsyncGenerator<Change, void, undefined> {
    return items(this.pages<Change>('/v1/changes', options))
  }

  /** Yields the days that have transactions of a company, or of any company if the CVR number is empty. Here after is a date. */
  days(cvr: string, options: ListOptions = {}): AsyncGenerator<Day, void, undefined> {
    return items(this.pages<Day>(cvr ? `${companyPath(cvr)}/days` : '/v1/days', options))
  }

  /**
   * Brings the copy in a SQLite file up to date: handles the changes since the last time, and
   * proves that number and sum of the copy's transactions are the API's. If nothing has
   * changed, that takes one request. Otherwise it takes one for each 1,000 changes and each
   * 1,000 new transactions, and one for each changed company. More than 20,000 new transactions
   * are read in bulk, which counts as 20 requests. If it fails or the program is killed, the
   * next call continues where it stopped. While another program syncs the copy, throws a
   * LockedError. Needs Node.
   *
   * A copy holds the data of one history. If the service's data went back in time, or the key
   * is another organization's, reads everything again.
   */
  async sync(path: string, options: RequestOptions = {}): Promise<Report> {
    let done: Report | undefined
    await follow(this, path, (report) => {
      done = report
      return false
    }, options)
    return done!
  }

  /**
   * Is sync, again and again, as soon as something has changed. Calls synced each time that
   * the copy is proved, and ends when that returns false. While nothing changes, it sends 72
   * requests an hour. No outage ends it: after 1, 2, 4 … 60 seconds it tries again. It pauses in
   * the same steps if a request does not wait for a change. If changes come so fast that an
   * hour's requests would not last, it spreads them over the hour.
   */
  follow(path: string, synced: (report: Report) => boolean, options: RequestOptions = {}): Promise<void> {
    const following = new Dispo(this.#options)
    following.#following = new Pace()
    return follow(following, path, synced, options)
  }

  /** @internal Pauses, and says why if there is a cause. A program that follows changes keeps to the limits. */
  async pause(seconds: number, cause: Error | undefined, { signal }: RequestOptions): Promise<void> {
    if (cause) this.paused(seconds, cause)
    await clock.pause(Math.max(seconds, this.#following?.pause(clock.now()) ?? 0), signal)
  }

  /** @internal Says why there is a pause. */
  paused(seconds: number, cause: Error): void {
    this.#options.onPause?.({ seconds, cause })
  }

  /** @internal */
  async companyVersion(cvr: string, options: RequestOptions): Promise<{ company: Company; at: Moment }> {
    const { body, headers } = await this.#get(companyPath(cvr), options)
    return { company: body as Company, at: moment(headers) }
  }

  /** @internal Returns the id of the newest change, or one that is less than all. */
  async newestChange(options: RequestOptions): Promise<string> {
    const { body } = await this.#get('/v1/changes?limit=1&before=ffffffff-ffff-ffff-ffff-ffffffffffff', options)
    return (body as Page<Change>).data[0]?.id ?? '00000000-0000-0000-0000-000000000000'
  }

  /** @internal With the ETag of the first page, waits until that page has changed. */
  async *pages<T extends { id: string } | Day>(path: string, { after, signal }: ListOptions, known = ''): AsyncGenerator<Page<T>, void, undefined> {
    const limit = path.startsWith('/v1/companies') ? '100' : '1000' // the most that the API allows
    for (;;) {
      const query = new URLSearchParams({ limit, ...(after ? { after } : {}) })
      const { body, headers } = await this.#get(`${path}?${query}`, signal ? { signal } : {}, known)
      const etag = body ? (headers.get('ETag') ?? '') : known // proxies change the one of a 304, or leave it out
      const unchanged = known !== '' && etag === known
      const page = { ...(body as Pick<Page<T>, 'data' | 'meta'>), totalAmount: headers.get('X-Total-Amount-Dkk') ?? '', at: moment(headers), etag, unchanged }
      yield page
      if (unchanged) return
      known = ''
      const last = page.data.at(-1)
      after = last && ('id' in last ? last.id : last.dispositionDate)
      if (!page.meta.hasMore || !after) return
    }
  }

  /**
   * @internal Reads all transactions after an id in one response, some at a time. If it is cut
   * off after some have come, ends with those.
   */
  async *bulk({ after, signal }: ListOptions): AsyncGenerator<Pick<Page<Transaction>, 'data' | 'at'>, void, undefined> {
    for (let attempt = 1; ; attempt++) {
      const path = `/v1/transactions${after ? `?after=${after}` : ''}`
      const late = new AbortController() // when nothing has come for a while
      const end = () => late.abort(new Error(`${path} was too slow`))
      let timer = setTimeout(end, this.#options.timeout * 1000)
      let at: Moment | undefined
      let data: Transaction[] = []
      let handed = false
      try {
        const response = await this.#send(path, { Accept: 'application/x-ndjson' }, signal, late.signal)
        if (response.status !== 200) throw new DispoError(response, await response.text())
        at = moment(response.headers)
        let rest = ''
        for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
          clearTimeout(timer)
          const lines = (rest + text).split('\n')
          rest = lines.pop()!
          for (const line of lines) data.push(JSON.parse(line))
          const whole = 'meta' in (data.at(-1) ?? {}) // the last line
          if (whole) data.pop()
          if (whole || data.length >= bulkBatch) {
            yield { data, at }
            handed = true
            data = []
          }
          if (whole) return
          timer = setTimeout(end, this.#options.timeout * 1000)
        }
        throw new Error(`${path} was cut off`)
      } catch (error) {
        signal?.throwIfAborted()
        if (at && data.length > 0) yield { data, at }
        if (handed || data.length > 0) return
        await this.#rest(error, attempt, path, signal)
      } finally {
        clearTimeout(timer)
      }
    }
  }

  /**
   * Sends a request, and again after a pause if a limit is reached, the service is unavailable,
   * or the network fails. With an ETag, waits until the response has another one, for up to
   * maxWait; else the response is its headers alone.
   */
  async #get(path: string, { signal }: RequestOptions, etag = ''): Promise<{ body: unknown; headers: Headers }> {
    for (let attempt = 1; ; attempt++) {
      try {
        const late = AbortSignal.timeout((this.#options.timeout + (etag ? maxWait : 0)) * 1000)
        const response = await this.#send(path, etag ? { 'If-None-Match': etag, Prefer: `wait=${maxWait}` } : {}, signal, late)
        const text = await response.text()
        const { headers } = response
        if (response.status === 304) return { body: undefined, headers }
        if (response.status !== 200) throw new DispoError(response, text)
        return { body: JSON.parse(text), headers }
      } catch (error) {
        await this.#rest(error, attempt, path, signal)
      }
    }
  }

  async #send(path: string, headers: Record<string, string>, signal: AbortSignal | undefined, late: AbortSignal): Promise<Response> {
    const { baseURL, key, fetch: send = fetch } = this.#options
    // The API never redirects, and the key must not follow to another server.
    const response = await send(baseURL + path, {
      headers: { 'X-API-Key': key, 'User-Agent': `dispo-client-ts/${version}`, ...headers }, redirect: 'manual', signal: signal ? AbortSignal.any([signal, late]) : late,
    })
    this.#following?.count(response.headers)
    return response
  }

  /**
   * Pauses after a failed try, or throws its error if there is no use in another one. A program
   * that follows changes never gives up, and outlives whatever answers instead of the API.
   */
  async #rest(error: unknown, attempt: number, path: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    const { tries, maxPause } = this.#options
    const following = this.#following !== undefined
    let cause = error as Error
    let seconds = step(attempt)
    if (error instanceof DispoError) {
      const limited = error.status === 429
      if (!limited && error.status < 500 && !(following && !error.code)) throw error
      seconds = limited ? error.retryAfter || seconds : Math.max(seconds, error.retryAfter ?? 0)
    } else if (error instanceof SyntaxError) {
      cause = new Error(`the response to ${path} is not from the API`, { cause: error })
      if (!following) throw cause
    } else {
      cause = new Error(`no response to ${path}: ${reason(error)}`, { cause: error })
    }
    if (following) seconds = Math.min(seconds, maxPause)
    else if (attempt >= tries || seconds > maxPause) throw cause
    this.paused(seconds, cause)
    await clock.pause(seconds, signal)
  }
}

function moment(headers: Headers): Moment {
  return { version: headers.get('X-Data-Version') ?? '', history: headers.get('X-Data-History') ?? '' }
}

const companyPath = (cvr: string): string => `/v1/companies/${encodeURIComponent(cvr)}`

async function* items<T>(pages: AsyncIterable<Page<T>>): AsyncGenerator<T, void, undefined> {
  for await (const page of pages) yield* page.data
}
