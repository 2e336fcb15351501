import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { fromOere, toOere } from './amount.ts'
import type { Company, Transaction } from './client.ts'
import { LockedError, type Position, type Store } from './sync.ts'

/**
 * A store in a folder, for Node: companies.jsonl has a company on each line, and CVR.jsonl
 * the company's transactions. An unfinished line that a crash has left is cut off at the
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

  async etag(): Promise<string> {
    try {
      return await readFile(join(this.#folder, 'etag'), 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
      throw error
    }
  }

  async setCompanies(companies: Company[]): Promise<void> {
    await this.#replace('companies.jsonl', toLines(companies))
  }

  /** Reads a company's file, and cuts off what follows its whole lines. */
  async position(cvr: string): Promise<Position> {
    let last = ''
    let count = 0
    let sum = 0n
    const file = await open(this.#path(cvr), 'a+', 0o600)
    try {
      const bytes = await file.readFile()
      let start = 0
      for (let end; (end = bytes.indexOf('\n', start)) >= 0; start = end + 1) {
        try {
          const transaction: Transaction = JSON.parse(bytes.toString('utf8', start, end))
          sum += toOere(transaction.amountDkk)
          count++
          last = transaction.id
        } catch {
          break
        }
      }
      await file.truncate(start)
    } finally {
      await file.close()
    }
    await this.#syncFolder()
    return { last, count, sum: fromOere(sum) }
  }

  async append(cvr: string, transactions: Transaction[]): Promise<void> {
    await write(this.#path(cvr), 'a', toLines(transactions))
  }

  async clear(cvr: string): Promise<void> {
    await write(this.#path(cvr), 'w', '')
  }

  async done(etag: string): Promise<void> {
    await this.#replace('etag', etag)
  }

  #path(cvr: string): string {
    return join(this.#folder, `${cvr}.jsonl`)
  }

  /** Writes a file so that, whatever happens, it has the old text or the new one. */
  async #replace(name: string, text: string): Promise<void> {
    const path = join(this.#folder, name)
    await write(`${path}.new`, 'w', text)
    await rename(`${path}.new`, path)
    await this.#syncFolder()
  }

  /** Waits until the names of new files are on disk, on systems that support it. */
  async #syncFolder(): Promise<void> {
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
