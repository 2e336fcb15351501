import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'

import { FileStore } from '../src/file-store.ts'
import { CopyDiffersError, Dispo, LockedError, type Store, type Transaction } from '../src/index.ts'
import { cvrs, deliver, proxy, rows, service, withdraw } from './proxy.ts'

// Kills, torn files and concurrent runs are tested with the sample program that uses the
// client.

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'dispo-copy-'))
  t.after(() => rm(path, { recursive: true }))
  return path
}

/** Requires that a folder has exactly the database's transactions. */
async function requireCopy(path: string): Promise<void> {
  const lines = (await readFile(join(path, 'transactions.jsonl'), 'utf8')).split('\n').slice(0, -1)
  const stored = (await Promise.all(cvrs.map(rows))).flat().sort((a, b) => (a.id < b.id ? -1 : 1))
  assert.deepEqual(lines.map((line) => JSON.parse(line)).map(({ id, amountDkk, rawLine }: Transaction) => ({ id, amountDkk, rawLine })), stored)
}

// When a store fails, sync throws its error, and the next sync completes the copy.
test('sync goes on after a failed store', async (t) => {
  const full = new Error('the disk is full')
  for (const after of [false, true]) {
    const path = await folder(t)
    const dispo = new Dispo({ ...service, baseURL: (await proxy(t)).baseURL })
    for (let n = 1, done = false; !done; n++) {
      const files = new FileStore(path)
      let calls = 0
      const failing = new Proxy(files, {
        get: (store, name: keyof Store) => async (...call: never[]) => {
          const fails = !['lock', 'state', 'position'].includes(name) && ++calls === n
          if (fails && !after) throw full
          const result = await (store[name] as (...call: never[]) => Promise<unknown>)(...call)
          if (fails) throw full
          return result
        },
      })
      const sync = dispo.sync(failing)
      if (await sync.then(() => false, () => true)) await assert.rejects(sync, full)
      else done = true
    }
    await requireCopy(path)
  }
})

// While a store is locked, sync throws a LockedError and sends nothing. Afterwards it works.
test('sync locks the store', async (t) => {
  const path = await folder(t)
  const { baseURL, requests } = await proxy(t)
  const dispo = new Dispo({ ...service, baseURL })
  const unlock = await new FileStore(path).lock()
  await assert.rejects(dispo.sync(new FileStore(path)), LockedError)
  assert.equal(requests.length, 0)
  await unlock()
  await dispo.sync(new FileStore(path))
  await requireCopy(path)
})

// The report says what a sync did.
test('sync reports changes', async (t) => {
  const path = join(await folder(t), 'new', 'folder')
  const store = new FileStore(path)
  const sync = async () => {
    const report = await new Dispo(service).sync(store)
    await requireCopy(path)
    return report
  }
  assert.equal((await sync()).companies, 4)
  assert.deepEqual(await sync(), { changed: false, companies: 0, new: 0, withdrawn: 0, restarted: false })
  const delivery = await deliver(cvrs[1], 2)
  assert.deepEqual(await sync(), { changed: true, companies: 0, new: 2, withdrawn: 0, restarted: false })
  await withdraw(delivery)
  assert.deepEqual(await sync(), { changed: true, companies: 0, new: 0, withdrawn: 1, restarted: false })
})

// A copy that was damaged is read again. One that still differs then is not called complete.
test('sync refuses a copy that differs', async (t) => {
  const damaged = await folder(t)
  const store = new FileStore(damaged)
  await new Dispo(service).sync(store)
  const path = join(damaged, 'transactions.jsonl')
  await writeFile(path, (await readFile(path, 'utf8')).repeat(2))
  await store.setState({ ...(await store.state()), version: '' })
  assert.equal((await new Dispo(service).sync(store)).restarted, true)
  await requireCopy(damaged)

  for (const total of ['0.01', '', '1e3']) {
    const changed: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      const headers = new Headers(response.headers)
      if (headers.has('X-Total-Amount-Dkk')) headers.set('X-Total-Amount-Dkk', total)
      return new Response(response.status === 304 ? null : await response.text(), { status: response.status, headers })
    }
    const store = new FileStore(await folder(t))
    await assert.rejects(new Dispo({ ...service, fetch: changed }).sync(store), total === '0.01' ? CopyDiffersError : Error)
    assert.equal((await store.state()).version, '')
  }
})
