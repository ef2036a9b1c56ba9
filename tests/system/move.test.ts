import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newMachine } from '../cli/svc.ts'
import { makeDatabase } from '../embedded/support.ts'
import { spawnServer } from '../harness/process.ts'
import type { TestUser } from '../harness/server.ts'
import {
  adminJson,
  copyOf,
  embeddedPlace,
  killAdmin,
  operate,
  type Place,
  populate,
  preparedPlace,
  refusalOf,
  serverPlace,
  spawnAdmin,
  untilStatement,
  viewOf,
  withServer,
} from './support.ts'

setDefaultTimeout(300_000)

const MEMORIES = 1_000
const directory = mkdtempSync(join(tmpdir(), 'svc-move-'))
const prepared: Place = { SVC_DATA_DIR: join(directory, 'data') }
let user: TestUser
let view: Awaited<ReturnType<typeof viewOf>>

beforeAll(async () => {
  await makeDatabase(prepared.SVC_DATA_DIR)
  await withServer(prepared, async (url) => {
    user = await populate(prepared, url, MEMORIES)
    view = await viewOf(user, url)
  })
}, 300_000)
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('a move to a PostgreSQL server and back keeps the export and the results of recall', async () => {
  const source = copyOf(prepared)
  const { SVC_DATABASE_URL } = await serverPlace()
  const moved = { ...source, SVC_DATABASE_URL }
  expect(await adminJson(source, 'move', '--to', SVC_DATABASE_URL)).toMatchObject({ resumed: 0 })
  await withServer(moved, async (url) => expect(await viewOf(user, url)).toEqual(view))

  // Another data directory does not have the secret of the database.
  const SVC_AUTH_SECRET = readFileSync(join(source.SVC_DATA_DIR, 'auth-secret'), 'utf8')
  const back = { ...embeddedPlace(), SVC_AUTH_SECRET }
  await operate(back).move('embedded', { from: SVC_DATABASE_URL })
  await withServer(back, async (url) => expect(await viewOf(user, url)).toEqual(view))
  // The source is as it was.
  await withServer(source, async (url) => expect(await viewOf(user, url)).toEqual(view))
})

test('a move that was killed is refused by a server, and continues when it is repeated', async () => {
  const source = copyOf(prepared)
  const target = await serverPlace()
  const child = spawnAdmin(source, 'move', '--to', target.SVC_DATABASE_URL)
  await untilStatement(target.SVC_DATABASE_URL, 'copy public.memor%')
  await killAdmin(child, target.SVC_DATABASE_URL)

  await using refused = spawnServer({ ...target })
  expect((await refused.result()).stderr).toContain('interrupted svc admin move')
  const result = await adminJson(source, 'move', '--to', target.SVC_DATABASE_URL)
  expect(result.resumed).toBeGreaterThan(0)
  const moved = { ...source, SVC_DATABASE_URL: target.SVC_DATABASE_URL }
  await withServer(moved, async (url) => expect(await viewOf(user, url)).toEqual(view))
})

test('a killed move into the embedded database leaves it empty, and continues when it is repeated', async () => {
  const embedded = copyOf(prepared)
  const { SVC_DATABASE_URL } = await serverPlace()
  await operate(embedded).move(SVC_DATABASE_URL)
  rmSync(join(embedded.SVC_DATA_DIR, 'postgres'), { recursive: true })
  const source = { ...embedded, SVC_DATABASE_URL }
  const child = spawnAdmin(source, 'move', '--to', 'embedded')
  await untilStatement(source.SVC_DATABASE_URL, 'copy % from public.memor%')
  await killAdmin(child, SVC_DATABASE_URL)
  expect(readdirSync(source.SVC_DATA_DIR)).not.toContain('postgres')
  await operate(source).move('embedded')
  await withServer(embedded, async (url) => expect(await viewOf(user, url)).toEqual(view))
})

/** A message of the protocol of PostgreSQL. */
const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}
const ASK_PASSWORD = message('R', Buffer.from([0, 0, 0, 3]))
const REFUSE_PASSWORD = message('E', Buffer.from('SFATAL\0C28P01\0Mwrong password\0\0'))

/** Starts a PostgreSQL server that asks for a password and refuses it. */
const startPasswordServer = () => {
  const passwords: string[] = []
  const listener = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket, bytes) {
        if (bytes[0] !== 'p'.charCodeAt(0)) return void socket.write(ASK_PASSWORD)
        passwords.push(bytes.toString('utf8', 5, bytes.length - 1))
        socket.end(REFUSE_PASSWORD)
      },
    },
  })
  return {
    url: `postgres://svc@127.0.0.1:${listener.port}/svc`,
    passwords,
    [Symbol.dispose]: () => listener.stop(true),
  }
}

test('a move takes the password of a URL without one from PGPASSWORD', async () => {
  const source = await preparedPlace()
  using target = startPasswordServer()
  const env = { ...source, PGPASSWORD: 'of the environment' }
  const { code, stderr } = await newMachine().svc(['admin', 'move', '--to', target.url], { env })
  expect([code, stderr]).toEqual([1, expect.stringContaining('refused the login')])
  expect(target.passwords).toEqual(['of the environment'])
})

test('a move refuses a running server, a target with tables, an unreachable one and a wrong name', async () => {
  const source = embeddedPlace()
  const target = await serverPlace()
  const refusal = (place: Place, to: string) => refusalOf(operate(place).move(to))
  expect(await refusal(source, target.SVC_DATABASE_URL)).toContain('has no database')
  await using running = spawnServer({ ...source })
  await running.url
  expect(await refusal(source, target.SVC_DATABASE_URL)).toContain('is using')
  running.child.kill('SIGTERM')
  await running.child.exited
  await withServer(target, async () => {
    expect(await refusal(source, target.SVC_DATABASE_URL)).toContain('svc runs on')
  })
  expect(await refusal(source, target.SVC_DATABASE_URL)).toContain('use an empty database')
  expect(await refusal(target, target.SVC_DATABASE_URL)).toContain('the same database')
  expect(await refusal(source, 'postgres://127.0.0.1:1/none')).toContain('nothing answers')
  expect(await refusal(source, 'elsewhere')).toContain('must be embedded or the URL')
  const both = { ...target, SVC_DATA_DIR: source.SVC_DATA_DIR }
  expect(await refusal(both, 'embedded')).toContain('--force')
})
