import { beforeAll, expect, test } from 'bun:test'

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
  const second = await read({ limit: '3', q: 'REQUEST 404', before: first.next_before })
  const ids = [...first.lines, ...second.lines].map(({ id }: LogLine) => id)
  expect(ids).toEqual(ids.toSorted().toReversed())
  expect(new Set(ids).size).toBe(ids.length)
})

test('lines are filtered by their level', async () => {
  await cause(1)
  const { lines, next_before } = await read({ level: 'error' })
  expect(lines.every(({ level }: LogLine) => ['error', 'fatal'].includes(level))).toBe(true)
  expect(next_before).toBeNull()
  expect((await read({ level: 'info' })).lines.length).toBeGreaterThan(0)
})

test('no more than the last 2,000 lines are kept', async () => {
  const { createLogRing } = await import('../../server/platform/log-ring.ts')
  const ring = createLogRing()
  const all = { words: [], levels: ['info'], before: undefined, limit: 10_000 }
  for (let i = 0; i < 5_000; i++) ring.add(`{"level":"info","n":${i}}\n`)
  const kept = ring.find(all)
  expect(kept.length).toBeLessThanOrEqual(2_000)
  expect(kept[0]?.text).toBe('{"level":"info","n":4999}')
  for (let i = 0; i < 500; i++) ring.add(`{"level":"info","text":"${'x'.repeat(50_000)}"}\n`)
  const characters = ring.find(all).reduce((sum, { text }) => sum + text.length, 0)
  expect(characters).toBeLessThanOrEqual(1024 * 1024)
})

test('the log is for admins with a session only', async () => {
  const user = await newUser(server.current)
  for (const token of [user.accessToken, admin.key])
    expect((await request(server.current, 'GET', '/api/admin/logs', { token })).status).toBe(403)
})

test.skipIf(process.platform !== 'linux')(
  'the lines of each process of a server are listed, whichever answers',
  async () => {
    const database = await createDatabase()
    await using child = spawnServer({ ...database.env, SVC_PROCESSES: '2' })
    const at = { url: await child.url }
    const owner = await newUser(at)
    await runSql(database, `update users set is_admin = true where id = '${owner.id}'`)
    const processes = await eventually(async () => {
      const { body } = await request(at, 'GET', '/api/admin/logs', { token: owner.accessToken })
      return body.processes.length === 2 && body.processes
    })
    const { body } = await request(at, 'GET', '/api/admin/logs?limit=500', {
      token: owner.accessToken,
    })
    for (const { process } of body.lines) expect(processes).toContain(process)
    child.child.kill('SIGTERM')
    await child.result()
    await database.drop()
  },
)
