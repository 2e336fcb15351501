import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'

import { FileStore } from '../src/file-store.ts'
import { CopyDiffersError, Dispo, type Company, type Store, type Transaction } from '../src/index.ts'
import { cvrs, deliver, proxy, rows, service, withdraw } from './proxy.ts'

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'dispo-copy-'))
  t.after(() => rm(path, { recursive: true }))
  return path
}

/** Requires that a folder has exactly what the database has. */
async function requireCopy(path: string): Promise<void> {
  const lines = async (name: string) => (await readFile(join(path, name), 'utf8')).split('\n').slice(0, -1).map((line) => JSON.parse(line))
  assert.deepEqual((await lines('companies.jsonl')).map(({ cvr }: Company) => cvr), [...cvrs])
  for (const cvr of cvrs) {
    assert.deepEqual((await lines(`${cvr}.jsonl`)).map(({ id, amountDkk, rawLine }: Transaction) => ({ id, amountDkk, rawLine })), await rows(cvr))
  }
}

// A program that is killed at any request goes on where it was: in the end the copy has
// every transaction once.
for (const answered of [false, true]) {
  test(`a program that is killed ${answered ? 'after an answer' : 'before a request'} goes on`, async (t) => {
    const path = await folder(t)
    let killed = true
    for (let n = 1; killed || n < 13; n++) {
      const { baseURL } = await proxy(t, async (i, _request, response, forward) => {
        if (i === n && answered) response.on('finish', () => program.kill('SIGKILL'))
        if (i === n && !answered) program.kill('SIGKILL')
        else await forward()
      })
      const program = spawn(process.execPath, [join(import.meta.dirname, '../examples/sync.ts')], {
        cwd: path, env: { ...process.env, DISPO_URL: baseURL }, stdio: ['ignore', 'ignore', 'inherit'],
      })
      const [code, signal] = await once(program, 'exit')
      killed = signal === 'SIGKILL'
      assert(killed || code === 0, String(code))
    }
    await requireCopy(join(path, 'dispo-copy'))
  })
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
          const fails = !['etag', 'position'].includes(name) && ++calls === n
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

// Whatever a crash leaves of a file, the next sync completes it.
test('sync goes on after a torn write', async (t) => {
  const path = await folder(t)
  const dispo = new Dispo(service)
  await dispo.sync(new FileStore(path))
  const file = join(path, `${cvrs[2]}.jsonl`)
  const whole = await readFile(file)
  const line = whole.indexOf('\n') + 1
  const zeros = Buffer.alloc(100)
  for (const left of [
    Buffer.of(), whole.subarray(0, 1), whole.subarray(0, line - 1), whole.subarray(0, line), whole.subarray(0, line + 50), whole.subarray(0, -1),
    Buffer.concat([whole.subarray(0, line), Buffer.from('{"id":"\xc3', 'latin1')]), Buffer.concat([whole.subarray(0, line), zeros]),
    Buffer.concat([whole.subarray(0, line), zeros, whole.subarray(line + zeros.length)]),
  ]) {
    await writeFile(file, left)
    await rm(join(path, 'etag')) // is written last
    await dispo.sync(new FileStore(path))
    await requireCopy(path)
  }
})

// sync reads only what is new, and one request tells it that nothing is. After a withdrawal
// it reads the company again, and says so.
test('sync follows changes', async (t) => {
  const path = join(await folder(t), 'new', 'folder')
  const store = new FileStore(path)
  const sync = async () => {
    const { baseURL, requests } = await proxy(t)
    const { etag, ...report } = await new Dispo({ ...service, baseURL }).sync(store)
    assert.equal(etag, await store.etag())
    return { report, requests }
  }
  await sync()
  await requireCopy(path)
  let { report, requests } = await sync()
  assert.deepEqual(report, { changed: false, companies: 0, new: 0, restarted: [] })
  assert.equal(requests.length, 1)

  const had = (await rows(cvrs[1])).length
  const delivery = await deliver(cvrs[1], 2);
  ({ report, requests } = await sync())
  assert.deepEqual(report, { changed: true, companies: 4, new: 2, restarted: [] })
  const reads = requests.filter((request) => request.includes('/transactions'))
  assert.equal(reads.length, 4)
  assert(reads.slice(1).every((request) => request.includes('after=')), String(reads))

  await withdraw(delivery);
  ({ report } = await sync())
  assert.deepEqual(report, { changed: true, companies: 4, new: had, restarted: [cvrs[1]] })
  await requireCopy(path)
})

// A copy that still differs after it was read again is not called complete.
test('sync refuses a copy that differs', async (t) => {
  for (const total of ['0.01', '', '1e3']) {
    const changed: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      const headers = new Headers(response.headers)
      if (headers.has('X-Total-Amount-Dkk')) headers.set('X-Total-Amount-Dkk', total)
      return new Response(response.status === 304 ? null : await response.text(), { status: response.status, headers })
    }
    const store = new FileStore(await folder(t))
    await assert.rejects(new Dispo({ ...service, fetch: changed }).sync(store), total === '0.01' ? CopyDiffersError : Error)
    assert.equal(await store.etag(), '')
  }
})
