/**
 * Spreads the requests of a program that follows changes over an hour. A third of the hour's
 * window may go to the requests of a moment, a quarter of all; after those, each request takes
 * the time in which the others fit into the rest.
 */
export class Pace {
  #requests = 0 // since the last pause
  #quota = 1000 // requests of the longest window
  #window = 3600 // its length in seconds
  #debt = 0 // seconds that the requests until #at have not waited for
  #at = 0

  /** Counts the request of a response, and learns the limits. */
  count(headers: Headers): void {
    this.#requests += headers.has('X-Total-Count') ? bulkRequests : 1
    let longest = 0
    for (const [, quota, window] of (headers.get('RateLimit-Policy') ?? '').matchAll(/;q=(\d{1,9});w=(\d{1,9})/g)) {
      if (Number(window) <= longest) continue
      longest = Number(window)
      this.#quota = Math.max(1, Number(quota))
      this.#window = longest
    }
  }

  /** Returns the seconds to pause before the next request. */
  pause(now: number): number {
    const each = (this.#window * 4) / 3 / this.#quota
    const atOnce = this.#window / 3
    this.#debt = Math.max(0, this.#debt - (now - this.#at)) + each * this.#requests
    this.#debt = Math.min(this.#debt, atOnce + Math.max(60, 5 * each)) // a first copy may spend all
    this.#requests = 0
    this.#at = now
    return Math.max(0, this.#debt - atOnce)
  }
}

/** What a bulk read counts as. */
export const bulkRequests = 20
