import { DispoError } from './error.ts'
import type { components } from './schema.ts'
import { sync, type Report, type Store } from './sync.ts'

export type Company = components['schemas']['Company']
export type Transaction = components['schemas']['Transaction']
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
  /** The number of times that a request is sent before its error is thrown. The default is 5. */
  tries?: number
  /** The longest pause before another try, in seconds. The default is an hour. If the API asks for a longer one, its error is thrown at once. */
  maxPause?: number
  /** Called before each pause. */
  onPause?: (pause: Pause) => void
}

/** A pause before another try, and what made it necessary. */
export interface Pause {
  seconds: number
  cause: unknown
}

export interface RequestOptions {
  /** Ends the request, and any wait. */
  signal?: AbortSignal
}

export interface ListOptions extends RequestOptions {
  /** The id of the last item that you have. The default is the start of the list. */
  after?: string | undefined
}

/** Tells whether any data of the organization has changed. */
export interface Change {
  etag: string
  changed: boolean
}

/** A page of a list. */
export interface Page<T> {
  data: T[]
  meta: PageMeta
  /** The sum of the whole list, of transactions only. */
  totalAmount: string | null
}

interface Sent extends RequestOptions {
  etag?: string
  wait?: number
}

const pageSize = 100 // the most that the API allows
const maxWait = 50 // the most that the API allows; many proxies end a request after 60 seconds
const pauseAfterWait = 2 // the shortest pause after a wait that was ended early
const defaults = { timeout: 30, tries: 5, maxPause: 3600 }

/** Reads the data of one organization. */
export class Dispo {
  readonly #options: DispoOptions & typeof defaults

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
    return (await this.#get(`/v1/companies/${encodeURIComponent(cvr)}`, options)).body as Company
  }

  /** Yields the transactions of a company, page by page as they are needed. */
  transactions(cvr: string, options: ListOptions = {}): AsyncGenerator<Transaction, void, undefined> {
    return items(this.transactionPages(cvr, options))
  }

  /**
   * Tells whether any data of the organization has changed since an ETag was returned. If the
   * ETag is empty, it has. If nothing has changed, waits for a change, for at most 50 seconds;
   * the default is not to wait.
   *
   * A wait is one request. If a proxy or the service ends it early with status 502, 503 or
   * 504, changed pauses and reports that nothing has changed yet.
   */
  async changed(etag: string, options: RequestOptions & { wait?: number } = {}): Promise<Change> {
    const { headers } = await this.#get('/v1/companies?limit=1', { ...options, etag, wait: Math.min(Math.trunc(options.wait ?? 0), maxWait) })
    const current = headers.get('ETag') ?? ''
    return { etag: current, changed: current !== etag }
  }

  /**
   * Brings a copy up to date: reads what is new, and proves for each company that count and
   * sum of the copy's transactions are the API's. If nothing has changed since the last time,
   * that takes one request. Otherwise it takes one for each company, and more for companies
   * with more than 100 new transactions. If it fails or the program is killed, the next call
   * continues where it stopped. While another program syncs the store, throws a LockedError.
   */
  sync(store: Store, options: RequestOptions = {}): Promise<Report> {
    return sync(this, store, options)
  }

  /** @internal */
  transactionPages(cvr: string, options: ListOptions): AsyncGenerator<Page<Transaction>, void, undefined> {
    return this.pages<Transaction>(`/v1/companies/${encodeURIComponent(cvr)}/transactions`, options)
  }

  /** @internal */
  async *pages<T extends { id: string }>(path: string, { after, signal }: ListOptions): AsyncGenerator<Page<T>, void, undefined> {
    for (;;) {
      const query = new URLSearchParams({ limit: String(pageSize), ...(after ? { after } : {}) })
      const { body, headers } = await this.#get(`${path}?${query}`, signal ? { signal } : {})
      const page = { ...(body as Omit<Page<T>, 'totalAmount'>), totalAmount: headers.get('X-Total-Amount-Dkk') }
      yield page
      after = page.data.at(-1)?.id
      if (!page.meta.hasMore || !after) return
    }
  }

  /** Sends a request, and again after a pause if a limit is reached, the service is unavailable, or the network fails. */
  async #get(path: string, sent: Sent): Promise<{ body: unknown; headers: Headers }> {
    const { tries, maxPause, onPause } = this.#options
    for (let attempt = 1; ; attempt++) {
      let cause: unknown
      let waitEnded = false // early
      let seconds = 2 ** (attempt - 1)
      try {
        return await this.#try(path, sent)
      } catch (error) {
        sent.signal?.throwIfAborted()
        if (error instanceof DispoError) {
          if (error.status !== 429 && error.status < 500) throw error
          waitEnded = Boolean(sent.wait) && [502, 503, 504].includes(error.status)
          seconds = error.retryAfter ?? seconds
          if (waitEnded) seconds = Math.max(seconds, pauseAfterWait)
        } else if (error instanceof SyntaxError) {
          throw new Error(`the response to ${path} is not from the API`, { cause: error })
        }
        if ((attempt >= tries && !waitEnded) || seconds > maxPause) throw error
        cause = error
      }
      onPause?.({ seconds, cause })
      await pause(seconds, sent.signal)
      if (waitEnded) return { body: undefined, headers: new Headers({ ETag: sent.etag ?? '' }) }
    }
  }

  async #try(path: string, { etag, wait, signal }: Sent): Promise<{ body: unknown; headers: Headers }> {
    const { baseURL, key, timeout, fetch: send = fetch } = this.#options
    const headers = new Headers({ 'X-API-Key': key })
    if (etag) headers.set('If-None-Match', etag)
    if (wait) headers.set('Prefer', `wait=${wait}`)
    const late = AbortSignal.timeout((timeout + (wait ?? 0)) * 1000)
    // The API never redirects, and the key must not follow to another server.
    const response = await send(baseURL + path, { headers, redirect: 'manual', signal: signal ? AbortSignal.any([signal, late]) : late })
    const text = await response.text()
    if (response.status === 304) return { body: undefined, headers: response.headers }
    if (response.status !== 200) throw new DispoError(response, text)
    return { body: JSON.parse(text), headers: response.headers }
  }
}

async function* items<T>(pages: AsyncIterable<Page<T>>): AsyncGenerator<T, void, undefined> {
  for await (const page of pages) yield* page.data
}

/** Waits, unless the signal ends it. */
export function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, seconds * 1000)
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted) abort()
  })
}
