import { beforeAll, describe, expect, test } from 'bun:test'
import { createClient } from '../../shared/client.ts'
import {
  auditLog,
  bridgeMemories,
  listEngines,
  memoryStatistics,
  rememberBatch,
  switchEngine,
} from '../../shared/contract/index.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser, startRestartable } from '../harness/http.ts'
import { request, type TestUser, useServer } from '../harness/server.ts'

const server = useServer()

/** The first result that satisfies the condition. */
const until = async <T>(read: () => Promise<T>, isGood: (answer: T) => boolean): Promise<T> => {
  const { answer } = await eventually(async () => {
    const answer = await read()
    return isGood(answer) && { answer }
  })
  return answer
}

const PATH = '/api/admin/cognitive_engines'

describe('engines', () => {
  let user: TestUser
  beforeAll(async () => {
    user = await newVerifiedUser(server.current)
  })

  test('the endpoints of engines require an admin', async () => {
    for (const [method, path] of [
      ['GET', PATH],
      ['POST', `${PATH}/graph/state`],
    ] as const) {
      const { status, body } = await request(server.current, method, path, { token: user.key })
      expect([status, body]).toEqual([403, { detail: 'Admin access required' }])
    }
  })
})

test('a disabled engine keeps its tasks, also across a restart', async () => {
  await using restartable = await startRestartable()
  const admin = await newVerifiedUser(restartable.current)
  await restartable.restart(`update users set is_admin = true where id = '${admin.id}'`)
  const client = () => createClient({ baseUrl: restartable.current.url, credential: admin.key })
  const graphEngine = async () => {
    const { engines } = await client().call(listEngines)
    return engines.find(({ engine }) => engine === 'graph')
  }
  const setEnabled = (enabled: boolean, reason: string) =>
    client().call(switchEngine, { params: { engine: 'graph' }, body: { enabled, reason } })
  const pendingOf = async () => {
    const { engines } = await client().call(memoryStatistics)
    return Object.fromEntries(engines.map(({ engine, pending }) => [engine, pending]))
  }

  expect(await graphEngine()).toEqual({
    engine: 'graph',
    about: expect.any(String),
    enabled: true,
    reason: null,
    changed_at: null,
    pending: 0,
  })
  expect(await setEnabled(false, 'The disk is full.')).toBeNull()
  expect(await graphEngine()).toMatchObject({
    enabled: false,
    reason: 'The disk is full.',
    changed_at: expect.any(String),
  })

  const memories = ['Rye rises.', 'Salt slows yeast.', 'Steam crisps crust.'].map((content) => ({
    content,
    thread: 'baking',
  }))
  await client().call(rememberBatch, { body: { memories } })
  await until(pendingOf, ({ extraction }) => extraction === 0)
  expect((await pendingOf()).graph).toBe(3)
  expect((await client().call(bridgeMemories, { query: {} })).total).toBe(0)

  await restartable.restart()
  expect(await graphEngine()).toMatchObject({ enabled: false, pending: 3 })
  await client().call(rememberBatch, {
    body: { memories: [{ content: 'Bread!', thread: 'baking' }] },
  })
  await until(pendingOf, ({ extraction }) => extraction === 0)
  expect((await pendingOf()).graph).toBe(4)

  await setEnabled(true, 'There is room again.')
  await until(pendingOf, ({ graph }) => graph === 0)
  await until(
    () => client().call(bridgeMemories, { query: {} }),
    ({ total }) => total === 2,
  )

  const signedIn = createClient({
    baseUrl: restartable.current.url,
    credential: admin.accessToken,
  })
  const { entries } = await signedIn.call(auditLog, { query: {} })
  expect(entries.filter(({ action }) => action === 'engine.switched')).toMatchObject([
    { subject: 'graph', details: { enabled: true, reason: 'There is room again.' } },
    { subject: 'graph', details: { enabled: false, reason: 'The disk is full.' } },
  ])

  const wrong = (engine: string, body: object) =>
    request(restartable.current, 'POST', `${PATH}/${engine}/state`, { token: admin.key, body })
  const unknown = await wrong('steam', { enabled: true, reason: 'Why not?' })
  expect([unknown.status, unknown.body]).toEqual([404, { detail: 'Engine not found' }])
  for (const body of [
    { enabled: true },
    { reason: 'x' },
    { enabled: 'on', reason: 'x' },
    { enabled: true, reason: ' ' },
  ])
    expect((await wrong('graph', body)).status).toBe(422)
})
