import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newMachine } from '../cli/svc.ts'
import { spawnServer } from '../harness/process.ts'
import {
  admin,
  adminJson,
  embeddedPlace,
  type Place,
  populate,
  serverPlace,
  spawnAdmin,
  untilStatement,
  viewOf,
  withServer,
} from './support.ts'

setDefaultTimeout(300_000)

const MEMORIES = 2_000

test('a move to a PostgreSQL server and back keeps the export and the results of recall', async () => {
  const source = embeddedPlace()
  const { user, view } = await withServer(source, async (url) => {
    const user = await populate(source, url, MEMORIES)
    return { user, view: await viewOf(user, url) }
  })
  const { SVC_DATABASE_URL } = await serverPlace()
  const moved = { ...source, SVC_DATABASE_URL }
  expect(await adminJson(source, 'move', '--to', SVC_DATABASE_URL)).toMatchObject({ resumed: 0 })
  await withServer(moved, async (url) => expect(await viewOf(user, url)).toEqual(view))

  // Another data directory does not have the secret of the database.
  const SVC_AUTH_SECRET = readFileSync(join(source.SVC_DATA_DIR, 'auth-secret'), 'utf8')
  const back = { ...embeddedPlace(), SVC_AUTH_SECRET }
  await adminJson(back, 'move', '--from', SVC_DATABASE_URL, '--to', 'embedded')
  await withServer(back, async (url) => expect(await viewOf(user, url)).toEqual(view))
  // The source is as it was.
  await withServer(source, async (url) => expect(await viewOf(user, url)).toEqual(view))
})

test('a move that was killed is refused by a server, and continues when it is repeated', async () => {
  const source = embeddedPlace()
  const { user, view } = await withServer(source, async (url) => {
    const user = await populate(source, url, MEMORIES)
    return { user, view: await viewOf(user, url) }
  })
  const target = await serverPlace()
  const child = spawnAdmin(source, 'move', '--to', target.SVC_DATABASE_URL)
  await untilStatement(target.SVC_DATABASE_URL, 'copy public.memor%')
  child.kill('SIGKILL')
  await child.exited

  await using refused = spawnServer({ ...target })
  expect((await refused.result()).stderr).toContain('interrupted svc admin move')
  const result = await adminJson(source, 'move', '--to', target.SVC_DATABASE_URL)
  expect(result.resumed).toBeGreaterThan(0)
  const moved = { ...source, SVC_DATABASE_URL: target.SVC_DATABASE_URL }
  await withServer(moved, async (url) => expect(await viewOf(user, url)).toEqual(view))
})

test('a killed move into the embedded database leaves it empty, and continues when it is repeated', async () => {
  const source = await serverPlace()
  const { user, view } = await withServer(source, async (url) => {
    const user = await populate(source, url, MEMORIES)
    return { user, view: await viewOf(user, url) }
  })
  const child = spawnAdmin(source, 'move', '--to', 'embedded')
  await untilStatement(source.SVC_DATABASE_URL, 'copy % from public.memor%')
  child.kill('SIGKILL')
  await child.exited
  expect(readdirSync(source.SVC_DATA_DIR)).not.toContain('postgres')
  await adminJson(source, 'move', '--to', 'embedded')
  const embedded = { SVC_DATA_DIR: source.SVC_DATA_DIR }
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
  const source = embeddedPlace()
  await withServer(source, async () => {})
  using target = startPasswordServer()
  const env = { ...source, PGPASSWORD: 'of the environment' }
  const { code, stderr } = await newMachine().svc(['admin', 'move', '--to', target.url], { env })
  expect([code, stderr]).toEqual([1, expect.stringContaining('refused the login')])
  expect(target.passwords).toEqual(['of the environment'])
})

test('a move refuses a running server, a target with tables, an unreachable one and a wrong name', async () => {
  const source = embeddedPlace()
  const target = await serverPlace()
  const refusal = async (place: Place, ...args: string[]) => {
    const { code, stderr } = await admin(place, 'move', ...args)
    expect(code).toBe(1)
    return stderr
  }
  expect(await refusal(source, '--to', target.SVC_DATABASE_URL)).toContain('has no database')
  await using running = spawnServer({ ...source })
  await running.url
  expect(await refusal(source, '--to', target.SVC_DATABASE_URL)).toContain('is using')
  running.child.kill('SIGTERM')
  await running.child.exited
  await withServer(target, async () => {
    expect(await refusal(source, '--to', target.SVC_DATABASE_URL)).toContain('svc runs on')
  })
  expect(await refusal(source, '--to', target.SVC_DATABASE_URL)).toContain('use an empty database')
  expect(await refusal(target, '--to', target.SVC_DATABASE_URL)).toContain('the same database')
  expect(await refusal(source, '--to', 'postgres://127.0.0.1:1/none')).toContain('nothing answers')
  expect(await refusal(source, '--to', 'elsewhere')).toContain('must be embedded or the URL')
  const both = { ...target, SVC_DATA_DIR: source.SVC_DATA_DIR }
  expect(await refusal(both, '--to', 'embedded')).toContain('--force')
})
