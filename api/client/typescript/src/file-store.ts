import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { fromOere, toOere } from './amount.ts'
import type { Company, Transaction } from './client.ts'
import { LockedError, type Position, type State, type Store } from './sync.ts'

/**
 * A store in a folder, for Node: companies.jsonl has a company on each line, and
 * transactions.jsonl a transaction. An unfinished line that a crash has left is cut off at the
 * next sync.
 */
export class FileStore implements Store {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Locks the folder. Node cannot lock files, but SQLite can: an open transaction locks its
   * database, here the empty file "lock", and the system ends that lock with the process.
   */
  async lock(): Promise<() => Promise<void>> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const database = new DatabaseSync(join(this.#folder, 'lock'))
    try {
      database.exec('BEGIN EXCLUSIVE')
    } catch (error) {
      database.close()
      const busy = 5 // SQLITE_BUSY
      throw (error as { errcode?: number }).errcode === busy ? new LockedError(`another program is syncing the copy in ${this.#folder}`) : error
    }
    return async () => database.close()
  }

  async state(): Promise<State> {
    try {
      return JSON.parse(await readFile(this.#path('state'), 'utf8')) as State
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { after: '', version: '' }
      throw error
    }
  }

  async setState(state: State): Promise<void> {
    await this.#replace('state', toLines([state]))
  }

  async start(companies: Company[]): Promise<void> {
    await this.#replace('transactions.jsonl', '')
    await this.#replace('companies.jsonl', toLines(companies))
  }

  /** Companies are in order of their ids. */
  async putCompanies(companies: Company[]): Promise<void> {
    const byId = new Map<string, Company>()
    for await (const { item } of lines<Company>(this.#path('companies.jsonl'))) byId.set(item.id, item)
    for (const company of companies) byId.set(company.id, company)
    await this.#replace('companies.jsonl', toLines([...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1))))
  }

  /** Writes transactions.jsonl again, without the files' transactions. */
  async withdraw(deliveryFileIds: string[]): Promise<void> {
    const path = this.#path('transactions.jsonl')
    const withdrawn = new Set(deliveryFileIds)
    const file = await open(`${path}.new`, 'w', 0o600)
    try {
      let kept: string[] = []
      for await (const { item, text } of lines<Transaction>(path)) {
        if (!withdrawn.has(item.cardNetworkDeliveryFileId)) kept.push(text)
        if (kept.length >= 1000) await file.writeFile(kept.splice(0).join(''))
      }
      await file.writeFile(kept.join(''))
      await file.sync()
    } finally {
      await file.close()
    }
    await this.#rename('transactions.jsonl')
  }

  async append(transactions: Transaction[]): Promise<void> {
    await write(this.#path('transactions.jsonl'), 'a', toLines(transactions))
  }

  /** Reads transactions.jsonl, and cuts off what follows its whole lines. */
  async position(): Promise<Position> {
    let last = ''
    let count = 0
    let sum = 0n
    let whole = 0
    const path = this.#path('transactions.jsonl')
    for await (const { item, end } of lines<Transaction>(path)) {
      try {
        sum += toOere(item.amountDkk)
      } catch {
        break
      }
      count++
      last = item.id
      whole = end
    }
    await truncate(path, whole)
    return { last, count, sum: fromOere(sum) }
  }

  #path(name: string): string {
    return join(this.#folder, name)
  }

  /** Writes a file so that, whatever happens, it has the old text or the new one. */
  async #replace(name: string, text: string): Promise<void> {
    await write(`${this.#path(name)}.new`, 'w', text)
    await this.#rename(name)
  }

  /** Replaces a file with its new one, and waits until that is on disk, on systems that support it. */
  async #rename(name: string): Promise<void> {
    await rename(`${this.#path(name)}.new`, this.#path(name))
    try {
      const folder = await open(this.#folder)
      try {
        await folder.sync()
      } finally {
        await folder.close()
      }
    } catch {
      // Windows cannot
    }
  }
}

/** Yields the items of a file's whole lines, up to the first that has none, and where each ends. A file that is missing has none. */
async function* lines<T>(path: string): AsyncGenerator<{ item: T; text: string; end: number }, void, undefined> {
  let rest = Buffer.alloc(0)
  let end = 0
  for await (const chunk of createReadStream(path, { flags: 'a+', mode: 0o600, start: 0, highWaterMark: 1 << 20 })) {
    rest = Buffer.concat([rest, chunk as Buffer])
    let start = 0
    for (let at; (at = rest.indexOf(10, start)) >= 0; start = at + 1) {
      const text = rest.toString('utf8', start, at + 1)
      end += at + 1 - start
      let item: T
      try {
        item = JSON.parse(text) as T
      } catch {
        return
      }
      yield { item, text, end }
    }
    rest = rest.subarray(start)
  }
}

/** Writes a file, and waits until it is on disk. */
async function write(path: string, flags: 'a' | 'w', text: string): Promise<void> {
  const file = await open(path, flags, 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

const toLines = (items: object[]): string => items.map((item) => JSON.stringify(item) + '\n').join('')
