import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** The address and the key of the service that the Go test has started, and where to change and read its data. */
export const service = {
  baseURL: process.env.DISPO_URL!,
  key: process.env.DISPO_KEY!,
  control: process.env.DISPO_CONTROL!,
}

export const cvrs = ['10150817', '12345674', '88146328', '10000009'] as const

/** A transaction as the database has it. */
export interface Row {
  id: string
  amountDkk: string
  rawLine: string
}

/** Returns a company's transactions from the database. */
export async function rows(cvr: string): Promise<Row[]> {
  return (await fetch(`${service.control}/rows?cvr=${cvr}`)).json() as Promise<Row[]>
}

/** Imports a delivery with a number of records, waits until the API has it, and returns its id. */
export async function deliver(cvr: string, records: number): Promise<string> {
  return (await fetch(`${service.control}/deliver?cvr=${cvr}&records=${records}`)).text()
}

/** Withdraws a delivery, and waits until the API has noticed. */
export async function withdraw(id: string): Promise<void> {
  await fetch(`${service.control}/withdraw?id=${id}`)
}

/** Handles request number n, from 1. forward sends it to the service. */
export type Handler = (n: number, request: IncomingMessage, response: ServerResponse, forward: () => Promise<void>) => void | Promise<void>

/** Starts a proxy for the service, and stops it with the test. */
export async function proxy(t: TestContext, handle: Handler = (_n, _request, _response, forward) => forward()): Promise<{ baseURL: string; requests: string[] }> {
  const target = new URL(service.baseURL)
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url!)
    const forward = async () => {
      const { 'x-api-key': key, 'if-none-match': etag, prefer, accept } = request.headers as Record<string, string>
      const headers = Object.fromEntries(Object.entries({ 'x-api-key': key, 'if-none-match': etag, prefer, accept }).filter(([, value]) => value)) as Record<string, string>
      // Little data has many pages.
      const answer = await fetch(target.origin + request.url!.replace(/limit=1000?/, 'limit=3'), { headers })
      const body = Buffer.from(await answer.arrayBuffer())
      response.writeHead(answer.status, Object.fromEntries([...answer.headers].filter(([name]) => !/^(content-|transfer-|connection)/.test(name))))
      response.end(body)
    }
    void handle(requests.length, request, response, forward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`, requests }
}

/** Answers with an error of the API. */
export function fail(response: ServerResponse, status: number, code: string, retryAfter?: number): void {
  const headers = { 'X-Request-Id': 'request-of-the-test', ...(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }) }
  response.writeHead(status, headers).end(JSON.stringify({ error: { code, message: 'The test says so.' } }))
}
