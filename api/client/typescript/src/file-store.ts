import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'

import { fromOere, toOere } from './amount.ts'
import type { Company, Transaction } from './client.ts'
import type { Position, Store } from './sync.ts'

/** What a file has. */
interface FilePosition {
  last: string
  count: number
  sum: bigint // in øre
}

/**
 * A store in a folder, for Node: companies.jsonl has a company on each line, and CVR.jsonl
 * the company's transactions. Whatever a crash leaves of an unfinished line is cut off when
 * the store goes on. One program at a time may use the folder.
 */
export class FileStore implements Store {
  readonly #folder: string
  readonly #positions = new Map<string, FilePosition>()

  constructor(folder: string) {
    this.#folder = folder
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

  async position(cvr: string): Promise<Position> {
    const { last, count, sum } = await this.#read(cvr)
    return { last, count, sum: fromOere(sum) }
  }

  async append(cvr: string, transactions: Transaction[]): Promise<void> {
    const position = await this.#read(cvr)
    this.#positions.delete(cvr) // read the file again after an error
    for (const transaction of transactions) add(position, transaction)
    await write(this.#path(cvr), 'a', toLines(transactions))
    this.#positions.set(cvr, position)
  }

  async clear(cvr: string): Promise<void> {
    this.#positions.delete(cvr)
    await write(this.#path(cvr), 'w', '')
  }

  async done(etag: string): Promise<void> {
    await this.#replace('etag', etag)
  }

  #path(cvr: string): string {
    return join(this.#folder, `${cvr}.jsonl`)
  }

  /** Reads a company's file the first time, and cuts off what is not a whole line. */
  async #read(cvr: string): Promise<FilePosition> {
    const known = this.#positions.get(cvr)
    if (known) return known
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const position: FilePosition = { last: '', count: 0, sum: 0n }
    const file = await open(this.#path(cvr), 'a+', 0o600)
    try {
      const bytes = await file.readFile()
      let start = 0
      for (let end; (end = bytes.indexOf('\n', start)) >= 0; start = end + 1) {
        try {
          add(position, JSON.parse(bytes.toString('utf8', start, end)))
        } catch {
          break
        }
      }
      await file.truncate(start)
    } finally {
      await file.close()
    }
    await this.#keepNames()
    this.#positions.set(cvr, position)
    return position
  }

  /** Writes a file so that it has the old text or the new one, whatever happens. */
  async #replace(name: string, text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const path = join(this.#folder, name)
    await write(`${path}.new`, 'w', text)
    await rename(`${path}.new`, path)
    await this.#keepNames()
  }

  /** Waits until the disk has the folder's new files, where the system can say. */
  async #keepNames(): Promise<void> {
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

/** Writes a file, and waits until the disk has it. */
async function write(path: string, flags: 'a' | 'w', text: string): Promise<void> {
  const file = await open(path, flags, 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

function add(position: FilePosition, transaction: Transaction): void {
  position.sum += toOere(transaction.amountDkk)
  position.count++
  position.last = transaction.id
}

const toLines = (items: object[]): string => items.map((item) => JSON.stringify(item) + '\n').join('')
