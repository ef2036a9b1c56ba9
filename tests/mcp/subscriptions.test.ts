import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { createClient } from '../../shared/client.ts'
import {
  createKey,
  deleteMemory,
  remember,
  revokeKey,
  updateMemory,
} from '../../shared/contract/index.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import {
  newUser,
  startServer,
  type TestServer,
  type TestUser,
  useSharedServer,
} from '../harness/server.ts'
import { connectHttp, connectMcp, connectOlderHttp, connectOlderMcp } from './client.ts'

const server = useSharedServer()

const ACTIVITY = 'svc://activity'
const uriOf = (id: string) => `svc://memories/${id}`

const WAYS = [
  ['HTTP', (user: TestUser, on: TestServer) => connectHttp(on, user.key)],
  [
    'stdio',
    (user: TestUser, on: TestServer) => connectMcp({ SVC_URL: on.url, SVC_API_KEY: user.key }),
  ],
] as const

type Connection = Awaited<ReturnType<(typeof WAYS)[number][1]>>

/** The changes that a client hears of. */
const hear = ({ client }: Connection) => {
  const heard: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    heard.push(params.uri)
  })
  client.setNotificationHandler('notifications/resources/list_changed', () => {
    heard.push('list')
  })
  return heard
}

const tell = async ({ client }: Pick<TestUser, 'client'>, content: string): Promise<string> =>
  (await client.call(remember, { body: { content } })).memory_id

for (const [name, connect] of WAYS)
  describe(`subscriptions over ${name}`, () => {
    test('a client hears of the activity, of a memory and of the list, and of nothing else', async () => {
      const user = await newUser(server.current)
      const other = await newUser(server.current)
      const [tea, milk] = [await tell(user, 'I like tea.'), await tell(user, 'I like milk.')]
      await using mcp = await connect(user, server.current)
      const heard = hear(mcp)
      const subscription = await mcp.client.listen({
        resourceSubscriptions: [ACTIVITY, uriOf(tea)],
        resourcesListChanged: true,
      })
      // The stream begins a moment after the acknowledgement.
      await eventually(async () => {
        await user.client.call(updateMemory, {
          params: { memory_id: tea },
          body: { tags: ['hot'] },
        })
        return heard.includes(uriOf(tea))
      })
      const wasHeard = heard.length
      await tell(other, 'I like juice.')
      await user.client.call(updateMemory, {
        params: { memory_id: milk },
        body: { tags: ['cold'] },
      })
      await user.client.call(deleteMemory, { params: { memory_id: tea } })
      await eventually(() => heard.slice(wasHeard).includes('list'))
      const since = heard.slice(wasHeard)
      expect(since).not.toContain(uriOf(milk))
      expect(since.filter((uri) => uri === uriOf(tea)).length).toBeGreaterThan(0)
      const { contents } = await mcp.client.readResource({ uri: ACTIVITY })
      const [text = ''] = contents.map((content) => ('text' in content ? content.text : ''))
      expect(text).toMatch(/test {2}deleted 1 memory/)
      expect(text).not.toContain('juice')
      await subscription.close()
    })
  })

test('a filter of nothing is not kept open, and older clients over HTTP see no subscriptions', async () => {
  const user = await newUser(server.current)
  await using mcp = await connectHttp(server.current, user.key)
  expect(mcp.client.getServerCapabilities()?.resources).toEqual({
    listChanged: true,
    subscribe: true,
  })
  const { closed } = await mcp.client.listen({ toolsListChanged: true })
  expect(await closed).toBe('graceful')
  await using older = await connectOlderHttp(server.current, user.key)
  expect(older.client.getServerCapabilities()?.resources).toEqual({ listChanged: false })
})

test('a subscription ends with its credential', async () => {
  const user = await newUser(server.current)
  const session = createClient({ baseUrl: server.current.url, credential: user.accessToken })
  const { key, id } = await session.call(createKey, { body: { name: 'listener' } })
  await using mcp = await connectHttp(server.current, key)
  const heard = hear(mcp)
  const { closed } = await mcp.client.listen({ resourceSubscriptions: [ACTIVITY] })
  await eventually(async () => {
    await tell(user, crypto.randomUUID())
    return heard.length > 0
  })
  await session.call(revokeKey, { params: { key_id: id } })
  const isClosed = closed.then(() => true)
  // It is checked before events, at most once a second.
  await eventually(async () => {
    await tell(user, crypto.randomUUID())
    return Promise.race([isClosed, false])
  })
  const wasHeard = heard.length
  await tell(user, 'A secret.')
  expect(heard).toHaveLength(wasHeard)
})

describe('two servers on one database', () => {
  let database: TestDatabase
  let one: TestServer
  let two: TestServer
  beforeAll(async () => {
    database = await createDatabase()
    one = await startServer({}, database)
    two = await startServer({}, database)
  })
  afterAll(async () => {
    await Promise.all([one.stop(), two.stop()])
    await database.drop()
  })

  test('a client of one hears of writes at the other, and is closed when its server stops', async () => {
    const user = await newUser(one)
    await using mcp = await connectHttp(two, user.key)
    const heard = hear(mcp)
    const { closed } = await mcp.client.listen({ resourceSubscriptions: [ACTIVITY] })
    await eventually(async () => {
      await tell(user, crypto.randomUUID())
      return heard.length > 0
    })
    await two.stop()
    expect(await closed).toBe('graceful')
  })
})

describe('subscriptions to a thread and a tag', () => {
  for (const [name, connect] of WAYS)
    test(`over ${name}, a client hears when a memory joins, changes and leaves, and of no other thread`, async () => {
      const user = await newUser(server.current)
      await using mcp = await connect(user, server.current)
      const heard = hear(mcp)
      const thread = 'Trip to Köln, part 1/2'
      const ofThread = `svc://threads/${encodeURIComponent(thread)}`
      const [warm, ofTag] = ['svc://threads/warm', 'svc://tags/to%20do']
      const subscription = await mcp.client.listen({
        resourceSubscriptions: [warm, ofThread, ofTag],
      })
      const store = (body: object) =>
        user.client.call(remember, { body: { content: crypto.randomUUID(), ...body } })
      // The stream begins a moment after the acknowledgement.
      await eventually(async () => {
        await store({ thread: 'warm' })
        return heard.includes(warm)
      })
      const isHeard = (times: number) =>
        eventually(() => heard.filter((uri) => uri === ofThread).length >= times)
      const { memory_id } = await store({ thread })
      const params = { memory_id }
      await isHeard(1)
      await user.client.call(updateMemory, { params, body: { importance: 1 } })
      await isHeard(2)
      await user.client.call(deleteMemory, { params })
      await isHeard(3)
      expect(heard).not.toContain(ofTag)
      await store({ thread, tags: ['To\u00A0do'] })
      await eventually(() => heard.includes(ofTag))
      const { contents } = await mcp.client.readResource({ uri: ofThread })
      const [content] = contents
      expect(content && 'text' in content && content.text).toContain(`thread "${thread}"`)
      await subscription.close()
    })
})

describe('subscriptions of an older client over stdio', () => {
  test('a client hears of what it subscribed to, until it unsubscribes', async () => {
    const user = await newUser(server.current)
    const [tea, milk] = [await tell(user, 'I like tea.'), await tell(user, 'I like milk.')]
    await using mcp = await connectOlderMcp({
      SVC_URL: server.current.url,
      SVC_API_KEY: user.key,
    })
    expect(mcp.client.getServerCapabilities()?.resources).toEqual({
      listChanged: false,
      subscribe: true,
    })
    const heard: string[] = []
    mcp.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      heard.push(params.uri)
    })
    const change = (memory_id: string) =>
      user.client.call(updateMemory, { params: { memory_id }, body: { importance: Math.random() } })
    await mcp.client.subscribeResource({ uri: uriOf(tea) })
    await mcp.client.subscribeResource({ uri: ACTIVITY })
    await eventually(async () => {
      await change(tea)
      return heard.includes(uriOf(tea))
    })
    await mcp.client.unsubscribeResource({ uri: uriOf(tea) })
    heard.length = 0
    await change(milk)
    await change(tea)
    await eventually(() => heard.length >= 2)
    expect(new Set(heard)).toEqual(new Set([ACTIVITY]))
    const refused = mcp.client.subscribeResource({ uri: 'file:///etc/passwd' })
    await expect(refused).rejects.toThrow(/not found/i)
  })
})
