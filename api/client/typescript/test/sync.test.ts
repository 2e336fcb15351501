import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { test, type TestContext } from 'node:test'

import { Dispo, LockedError } from '../src/index.ts'
import { cvrs, deliver, proxy, rows, service, withdraw } from './proxy.ts'

// Kills, crashes, damaged copies and concurrent runs are tested with the sample program that
// uses the client.

async function newFile(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'dispo-copy-'))
  t.after(() => rm(path, { recursive: true }))
  return join(path, 'dispo.sqlite')
}

/** Runs statements on a copy, as another program would, and returns the rows of a query. */
function query(path: string, sql: string, change = ''): Record<string, SQLOutputValue>[] {
  const database = new DatabaseSync(path, { timeout: 10_000 })
  try {
    database.exec(change)
    return database.prepare(sql).all().map((row) => ({ ...row }))
  } finally {
    database.close()
  }
}

/** Requires that a copy has exactly the database's transactions. */
async function requireCopy(path: string): Promise<void> {
  const stored = (await Promise.all(cvrs.map(rows))).flat().sort((a, b) => (a.id < b.id ? -1 : 1))
  const wanted = stored.map(({ id, amountDkk, rawLine }) => ({ id, amountOere: Number(amountDkk.replace('.', '')), rawLine }))
  assert.deepEqual(query(path, 'SELECT id, amountOere, rawLine FROM transactions ORDER BY id'), wanted)
}

// When the copy cannot be written, sync throws the error, and the next sync completes the copy.
test('sync goes on after a failed write', async (t) => {
  const { baseURL } = await proxy(t)
  const dispo = new Dispo({ ...service, baseURL })
  for (const write of ['INSERT ON companies', 'INSERT ON transactions', "UPDATE OF after ON copy WHEN NEW.after != ''"]) {
    const path = await newFile(t)
    await dispo.sync(path)
    query(path, 'SELECT 1', `UPDATE copy SET after = ''; CREATE TRIGGER full BEFORE ${write} BEGIN SELECT RAISE(FAIL, 'the disk is full'); END`)
    await assert.rejects(dispo.sync(path), { message: 'the disk is full' })
    query(path, 'SELECT 1', 'DROP TRIGGER full')
    await dispo.sync(path)
    await requireCopy(path)
  }
})

// While a copy is synced, another sync throws a LockedError, and the copy can be read.
// Afterwards it works.
test('sync locks the copy', async (t) => {
  const path = await newFile(t)
  const dispo = new Dispo(service)
  await dispo.follow(path, () => {
    assert.equal(query(path, 'SELECT * FROM companies').length, 4)
    return false
  })
  let second: Promise<unknown> | undefined
  await dispo.follow(path, () => {
    second = dispo.sync(path)
    second.catch(() => undefined)
    return false
  })
  await assert.rejects(second!, LockedError)
  await dispo.sync(path)
  await requireCopy(path)
})

// The locks of the program's own connections stay. Without them, another program that opens and
// closes the copy removes its log, and with it what this program commits afterwards.
test('sync keeps the locks of this process', async (t) => {
  const path = await newFile(t)
  const dispo = new Dispo(service)
  await dispo.sync(path)
  const own = new DatabaseSync(path)
  t.after(() => own.close())
  own.prepare('SELECT * FROM copy').get()
  const count = 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); print(c.execute("SELECT count(*) FROM transactions").fetchone()[0]); c.close()'
  const elsewhere = () => Number(execFileSync('python3', ['-c', count, path]))
  const counts: number[] = []
  await dispo.follow(path, ({ new: added }) => {
    if (counts.push(elsewhere()) === 1) void deliver(cvrs[1], 2)
    return added === 0
  })
  assert.equal(counts[1], counts[0]! + 2)
})

// The report says what a sync did.
test('sync reports changes', async (t) => {
  const path = await newFile(t)
  const sync = async () => {
    const report = await new Dispo(service).sync(path)
    await requireCopy(path)
    return report
  }
  assert.equal((await sync()).companies, 4)
  assert.deepEqual(await sync(), { changed: false, companies: 0, new: 0, withdrawn: 0, restarted: false })
  const delivery = await deliver(cvrs[1], 2)
  assert.deepEqual(await sync(), { changed: true, companies: 0, new: 2, withdrawn: 0, restarted: false })
  await withdraw(delivery)
  assert.deepEqual(await sync(), { changed: true, companies: 0, new: 0, withdrawn: 1, restarted: false })
  query(path, 'SELECT 1', 'DELETE FROM transactions WHERE recordIndex = 1')
  assert.equal((await sync()).restarted, true)
})

// Where Node is too old for a copy, which it is without SQLite, sync says so.
test('sync says that Node is too old', async (t) => {
  const program = `import { Dispo } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)}
    await new Dispo({ baseURL: 'https://dispo.example/api', key: 'dispo_x' }).sync(process.argv[1])`
  const { stderr } = spawnSync(process.execPath, ['--no-experimental-sqlite', '--input-type=module-typescript', '--eval', program, await newFile(t)], { encoding: 'utf8' })
  assert.match(stderr, /a copy needs Node 22.13 or newer, which has SQLite, and this is Node [0-9.]+/)
})
