import { beforeAll, expect, test } from 'bun:test'
import { createLogRing } from '../../server/platform/log-ring.ts'
import type { LogLine } from '../../shared/contract/logs.ts'
import { createDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { runSql } from '../harness/http.ts'
import { spawnServer } from '../harness/process.ts'
import { newUser, request, type TestUser, useServer } from '../harness/server.ts'
import { newAdmin } from './settings-support.ts'

const server = useServer()
let admin: TestUser

beforeAll(async () => {
  admin = await newAdmin(server.current)
})

const read = async (query: Record<string, string> = {}) => {
  const { status, body } = await request(
    server.current,
    'GET',
    `/api/admin/logs?${new URLSearchParams(query)}`,
    { token: admin.accessToken },
  )
  expect(status).toBe(200)
  return body
}

/** Causes a line with the status 404 at a route that has none. */
const cause = async (count: number) => {
  for (let i = 0; i < count; i++)
    await request(server.current, 'GET', `/api/nowhere/${crypto.randomUUID()}`)
}

test('the last lines are listed with their process, newest first, page by page', async () => {
  await cause(5)
  const first = await read({ limit: '3', q: 'REQUEST 404' })
  expect(first.lines).toHaveLength(3)
  expect(first.lines[0]).toMatchObject({
    process: expect.stringMatching(new RegExp(`/${process.pid}$`)),
    level: 'info',
    message: 'request',
    details: { method: 'GET', status: 404, request_id: expect.any(String) },
  })
  expect(first.processes).toEqual([first.lines[0].process])
  const second = await read({ limit: '2', q: 'REQUEST 404', before: first.next_before })
  expect([second.lines.length, second.next_before]).toEqual([2, null])
  const ids = [...first.lines, ...second.lines].map(({ id }: LogLine) => id)
  expect(ids).toEqual(ids.toSorted().toReversed())
  const paths = [...first.lines, ...second.lines].map(({ details }: LogLine) => details.request_id)
  expect(new Set(paths).size).toBe(5)
})

test('lines are filtered by their level', async () => {
  const { database } = server.current
  await runSql(database, 'alter table reflexes rename to hidden_reflexes')
  const failed = await request(server.current, 'GET', '/api/reflexes', { token: admin.accessToken })
  await runSql(database, 'alter table hidden_reflexes rename to reflexes')
  expect(failed.status).toBe(500)
  const levelsFrom = async (level: string) => {
    const { lines } = await read({ level, q: failed.headers.get('x-request-id') ?? '' })
    return new Set(lines.map((line: LogLine) => line.level))
  }
  expect(await levelsFrom('info')).toEqual(new Set(['info', 'error']))
  expect(await levelsFrom('error')).toEqual(new Set(['error']))
  expect(await levelsFrom('fatal')).toEqual(new Set())
})

test('the last 1,800 to 2,000 lines are kept, of at most a mebibyte', () => {
  const ring = createLogRing()
  const all = { words: [], levels: ['info'], before: undefined, limit: 10_000 }
  for (let i = 0; i < 5_000; i++) ring.add(`{"level":"info","n":${i}}\n`)
  const kept = ring.find(all)
  expect(kept.length).toBeWithin(1_800, 2_001)
  expect(kept.map(({ text }) => JSON.parse(text).n)).toEqual(Array.from(kept, (_, i) => 4_999 - i))
  for (let i = 0; i < 500; i++) ring.add(`{"level":"info","text":"${'x'.repeat(50_000)}"}\n`)
  const characters = ring.find(all).reduce((sum, { text }) => sum + text.length, 0)
  expect(characters).toBeWithin(0.8 * 1024 * 1024, 1024 * 1024 + 1)
})

test('the log is for admins with a session only', async () => {
  const user = await newUser(server.current)
  for (const token of [user.accessToken, admin.key])
    expect((await request(server.current, 'GET', '/api/admin/logs', { token })).status).toBe(403)
  expect((await request(server.current, 'GET', '/api/admin/logs')).status).toBe(401)
})

test.skipIf(process.platform !== 'linux')(
  'the lines of each process of a server are listed, whichever answers',
  async () => {
    const database = await createDatabase()
    await using child = spawnServer({ ...database.env, SVC_PROCESSES: '2' })
    const at = { url: await child.url }
    const owner = await newUser(at)
    await runSql(database, `update users set is_admin = true where id = '${owner.id}'`)
    await eventually(async () => {
      // The kernel gives each connection to one of the processes.
      await request(at, 'GET', '/api/nowhere', { headers: { connection: 'close' } })
      const { body } = await request(at, 'GET', '/api/admin/logs?limit=500', {
        token: owner.accessToken,
      })
      const written = new Set(body.lines.map(({ process }: LogLine) => process))
      return body.processes.length === 2 && Bun.deepEquals([...written].sort(), body.processes)
    })
    child.child.kill('SIGTERM')
    await child.result()
    await database.drop()
  },
)
