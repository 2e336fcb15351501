import type { components } from './schema.ts'

/** The codes of the API's errors. */
export type ErrorCode = components['schemas']['ErrorCode']

/** An error that the API returned. */
export class DispoError extends Error {
  override readonly name = 'DispoError'
  /** The status of HTTP. */
  readonly status: number
  /** Says what happened. Undefined if a proxy answered instead of the API. */
  readonly code: ErrorCode | undefined
  /** Identifies the request to support. */
  readonly requestId: string | undefined
  /** How many seconds to wait before the next request, if the API says so. */
  readonly retryAfter: number | undefined

  constructor(response: Response, body: string) {
    const requestId = response.headers.get('X-Request-Id') ?? undefined
    const { code, message } = parse(body)
    super(`${response.status} ${code ? `${code}: ${message}` : message} (X-Request-Id ${requestId ?? 'unknown'})`)
    this.status = response.status
    this.code = code
    this.requestId = requestId
    const retryAfter = response.headers.get('Retry-After') ?? ''
    this.retryAfter = /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined
  }
}

function parse(body: string): { code: ErrorCode | undefined; message: string } {
  try {
    const { code, message } = JSON.parse(body).error
    if (typeof code === 'string') return { code: code as ErrorCode, message: String(message) }
  } catch {
    // a proxy may answer with something else
  }
  return { code: undefined, message: 'this response is not from the API' }
}

/** Returns why something failed: the innermost cause, which fetch hides. */
export function reason(error: unknown): string {
  const { cause, errors, message, code } = error as Error & { errors?: unknown[]; code?: string }
  const inner = cause ?? errors?.[0]
  return inner instanceof Error ? reason(inner) : message || code || String(error)
}
