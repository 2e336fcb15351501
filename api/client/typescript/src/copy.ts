import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

import { toOere } from './amount.ts'
import type { Company, Transaction } from './client.ts'

/** Another program is syncing the copy. */
export class LockedError extends Error {
  override readonly name = 'LockedError'
}

const edition = 2 // of the tables
const schema = `
CREATE TABLE companies (
  cvr TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, address TEXT, startDate TEXT NOT NULL, endDate TEXT NOT NULL,
  status TEXT NOT NULL, senderRegNumber TEXT, senderAccountNumber TEXT, receiverRegNumber TEXT, receiverAccountNumber TEXT,
  defaultAmountCents INTEGER, createdAt TEXT NOT NULL, updatedAt TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE transactions (
  id TEXT PRIMARY KEY, cardNetworkDeliveryFileId TEXT NOT NULL, recordIndex INTEGER NOT NULL, cvr TEXT NOT NULL,
  regNumber TEXT NOT NULL, accountNumber TEXT NOT NULL, transferType TEXT NOT NULL, dispositionDate TEXT NOT NULL,
  count INTEGER NOT NULL, amountOere INTEGER NOT NULL, rawLine TEXT NOT NULL, createdAt TEXT, updatedAt TEXT,
  filename TEXT NOT NULL, processedAt TEXT
) WITHOUT ROWID;
CREATE INDEX transactions_file ON transactions (cardNetworkDeliveryFileId);
-- One row: the last change that was handled, or '' before the first copy; the version of the
-- data at which the copy was proved, or '' if it is not; number and sum of the transactions; the
-- history of the data, or '' if the service did not name one.
CREATE TABLE copy (
  after TEXT NOT NULL, version TEXT NOT NULL, transactions INTEGER NOT NULL, amountOere INTEGER NOT NULL, history TEXT NOT NULL DEFAULT ''
);
INSERT INTO copy VALUES ('', '', 0, 0, '');
CREATE TRIGGER transactions_insert AFTER INSERT ON transactions BEGIN
  UPDATE copy SET version = '', transactions = transactions + 1, amountOere = amountOere + NEW.amountOere;
END;
CREATE TRIGGER transactions_delete AFTER DELETE ON transactions BEGIN
  UPDATE copy SET version = '', transactions = transactions - 1, amountOere = amountOere - OLD.amountOere;
END;
CREATE TRIGGER transactions_update AFTER UPDATE ON transactions BEGIN
  UPDATE copy SET version = '', amountOere = amountOere + NEW.amountOere - OLD.amountOere;
END;
PRAGMA user_version = ${edition};`

/** What a copy says of itself. */
export interface State {
  /** The last change that was handled. Empty: there is no copy yet. */
  after: string
  /** Of the data that the copy was proved against. Empty: it is not proved. */
  version: string
  /** Of the data. Empty: the service did not name one. */
  history: string
  /** How many there are. */
  transactions: bigint
  /** Their sum. */
  amountOere: bigint
}

/** A copy in a SQLite file, which is locked against other programs that sync it. */
export class Copy {
  readonly #lock: DatabaseSync
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  /** Throws a LockedError if another program syncs the copy. */
  constructor(path: string) {
    const { DatabaseSync } = sqlite()
    // An open transaction is a lock that ends with the process, on every system. It is on a
    // file of its own, so that the copy can be read meanwhile.
    this.#lock = new DatabaseSync(`${path}-lock`, { timeout: 500 }) // of two programs that start at once, one gets it
    try {
      this.#lock.exec('BEGIN EXCLUSIVE')
      create(path)
      this.#database = new DatabaseSync(path, { timeout: 10_000 })
    } catch (error) {
      this.#lock.close()
      const busy = 5 // SQLITE_BUSY
      throw (error as { errcode?: number }).errcode === busy ? new LockedError(`another program is syncing the copy in ${path}`) : error
    }
    try {
      this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
      const found = this.#row('PRAGMA user_version')!.user_version
      if (found === 0n) this.commit(() => this.#database.exec(schema))
      else if (found === 1n) this.commit(() => this.#database.exec("ALTER TABLE copy ADD COLUMN history TEXT NOT NULL DEFAULT ''; PRAGMA user_version = 2")) // the state had no history
      else if (found !== BigInt(edition)) throw new Error(`${path} is a copy of another edition of this client: move it away, and a new copy is made`)
    } catch (error) {
      this.close()
      throw error
    }
  }

  close(): void {
    this.#database.close()
    this.#lock.close()
  }

  /** Does what changes the copy as a whole or not at all. What it has done survives a crash. */
  commit<T>(change: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      const result = change()
      this.#database.exec('COMMIT')
      return result
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }

  state(): State {
    return this.#row('SELECT * FROM copy') as unknown as State
  }

  /** The greatest id of a transaction, or an empty string. */
  last(): string {
    return (this.#row('SELECT max(id) AS id FROM transactions')!.id ?? '') as string
  }

  /** Changes what the copy says of itself. */
  move({ after, version, history }: Partial<State>): void {
    this.#run('UPDATE copy SET after = coalesce(?, after), version = coalesce(?, version), history = coalesce(?, history)', after ?? null, version ?? null, history ?? null)
  }

  clear(): void {
    this.#run('DELETE FROM companies')
    this.#run('DELETE FROM transactions')
  }

  putCompanies(companies: Company[]): void {
    this.#write('REPLACE', 'companies', companies)
  }

  withdraw(deliveryFileId: string): void {
    this.#run('DELETE FROM transactions WHERE cardNetworkDeliveryFileId = ?', deliveryFileId)
  }

  add(transactions: Transaction[]): void {
    this.#write('INSERT', 'transactions', transactions.map((x) => ({ ...x, amountOere: toOere(x.amountDkk) })))
  }

  /** Counts the transactions, in case that the number or the sum is not theirs. */
  recount(): void {
    this.#run('UPDATE copy SET (transactions, amountOere) = (SELECT count(*), coalesce(sum(amountOere), 0) FROM transactions)')
  }

  /** Writes rows of a table, whose columns are fields of the items. */
  #write(how: 'INSERT' | 'REPLACE', table: string, items: object[]): void {
    const columns = this.#prepare(`SELECT name FROM pragma_table_info('${table}')`).all().map(({ name }) => name as string)
    const insert = this.#prepare(`${how} INTO ${table} VALUES (${columns.map(() => '?').join()})`)
    for (const item of items as Record<string, SQLInputValue | undefined>[]) insert.run(...columns.map((name) => item[name] ?? null))
  }

  #row(sql: string): Record<string, unknown> | undefined {
    return this.#prepare(sql).get()
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#prepare(sql).run(...values)
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#database.prepare(sql)
      statement.setReadBigInts(true)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

/**
 * Creates a file that only its owner may read, because the data is your organization's. A file
 * that is there must not be opened and closed: that would drop all locks that this process has
 * on it, also those of the program's own connections.
 */
function create(path: string): void {
  const { closeSync, openSync } = process.getBuiltinModule('node:fs')
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  }
}

/** Loads Node's SQLite without its warning that it is experimental. */
function sqlite(): typeof import('node:sqlite') {
  const warn = process.emitWarning
  process.emitWarning = ((warning: string, ...rest: never[]) => {
    if (!/^SQLite is an experimental feature/.test(warning)) warn.call(process, warning, ...rest)
  }) as typeof warn
  try {
    const loaded = process.getBuiltinModule?.('node:sqlite')
    if (!loaded) throw new Error(`a copy needs Node 22.13 or newer, which has SQLite, and this is Node ${process.versions.node}`)
    return loaded
  } finally {
    process.emitWarning = warn
  }
}
