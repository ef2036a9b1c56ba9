import { beforeAll, describe, expect, test } from 'bun:test'
import {
  bridgeMemories,
  deleteMemory,
  memoryGraph,
  memoryStatistics,
  remember,
  rememberBatch,
  restoreMemory,
  updateMemory,
} from '../../shared/contract/index.ts'
import type { Remember } from '../../shared/contract/memories.ts'
import { eventually } from '../harness/eventually.ts'
import { ISO, newVerifiedUser } from '../harness/http.ts'
import { newUser, request, type TestUser, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

type MemoryInput = Partial<Remember> & { content: string }

const write = async ({ client }: TestUser, input: MemoryInput): Promise<string> =>
  (await client.call(remember, { body: input })).memory_id

const writeAll = async ({ client }: TestUser, memories: MemoryInput[]): Promise<string[]> =>
  (await client.call(rememberBatch, { body: { memories } })).memories.map((m) => m.memory_id)

const change = ({ client }: TestUser, memory_id: string, body: object) =>
  client.call(updateMemory, { params: { memory_id }, body })

const bridges = ({ client }: TestUser, limit = 10) =>
  client.call(bridgeMemories, { query: { limit } })
const graph = ({ client }: TestUser, limit = 200) => client.call(memoryGraph, { query: { limit } })
const statistics = ({ client }: TestUser) => client.call(memoryStatistics)

/** The first result that satisfies the condition. */
const until = async <T>(read: () => Promise<T>, isGood: (answer: T) => boolean): Promise<T> => {
  const { answer } = await eventually(async () => {
    const answer = await read()
    return isGood(answer) && { answer }
  })
  return answer
}

const topOf = (answer: Awaited<ReturnType<typeof bridges>>) => answer.bridge_memories[0]?.memory_id

const SAILING = [
  'The spinnaker tore near the harbour mouth.',
  'We moored beside a rusty trawler.',
  'Varnish for the tiller comes in small tins.',
  'The keel was scraped before winter.',
  'A gale blew the dinghy ashore.',
]
const BAKING = [
  'Rye needs a longer proof than wheat.',
  'The oven stone cracked on Sunday.',
  'Salt slows the yeast down.',
  'Steam gives a crisp crust.',
  'A couche keeps baguettes apart.',
]
const JOINT = 'Salted spinnaker crust, said the cook, and laughed about yeast.'

/** Two groups without common words or threads. */
const writeGroups = async (user: TestUser) => {
  const sailing = await writeAll(
    user,
    SAILING.map((content) => ({ content, thread: 'sailing' })),
  )
  const baking = await writeAll(
    user,
    BAKING.map((content) => ({ content, thread: 'baking' })),
  )
  return { sailing, baking }
}

describe('a memory that joins two groups', () => {
  test('a memory that joins two groups is the first bridge memory until it loses the shared words', async () => {
    const user = await newVerifiedUser(server.current)
    await writeGroups(user)
    const joint = await write(user, { content: JOINT, tags: ['odd'], importance: 0.7 })
    const answer = await until(
      () => bridges(user),
      (each) => topOf(each) === joint,
    )
    expect(answer.user_id).toBe(user.id)
    expect(answer.bridge_memories[0]).toEqual({
      memory_id: joint,
      content_text: JOINT,
      betweenness_score: expect.any(Number),
      importance: 0.7,
      memory_type: 'semantic',
      tags: ['odd'],
    })
    const scores = answer.bridge_memories.map(({ betweenness_score }) => betweenness_score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(scores.every((score) => score > 0 && score <= 1)).toBe(true)
    expect(answer.total).toBe(answer.bridge_memories.length)

    await change(user, joint, { content: 'Nothing to do with either.' })
    const after = await until(
      () => bridges(user, 100),
      ({ bridge_memories }) => bridge_memories.every(({ memory_id }) => memory_id !== joint),
    )
    // Each group alone is a line of five: its three inner memories join the others.
    expect(after.total).toBe(6)
  })

  test('deleting a bridge memory removes it from the bridges; restoring it adds it again', async () => {
    const user = await newVerifiedUser(server.current)
    await writeGroups(user)
    const joint = await write(user, { content: JOINT })
    await until(
      () => bridges(user),
      (each) => topOf(each) === joint,
    )
    await user.client.call(deleteMemory, { params: { memory_id: joint }, query: {} })
    expect(topOf(await bridges(user))).not.toBe(joint)
    await until(
      () => bridges(user),
      ({ total }) => total === 6,
    )
    await user.client.call(restoreMemory, { params: { memory_id: joint } })
    await until(
      () => bridges(user),
      (each) => topOf(each) === joint,
    )
  })

  test('a memory joins two groups by the links in its metadata', async () => {
    const user = await newVerifiedUser(server.current)
    const { sailing, baking } = await writeGroups(user)
    const links = [sailing[4], baking[0], 'no id', sailing[4], crypto.randomUUID()]
    const joint = await write(user, { content: 'Remember both.', metadata: { links } })
    await until(
      () => bridges(user),
      (each) => topOf(each) === joint,
    )
    const { edges } = await graph(user)
    expect(edges.filter(({ kind }) => kind === 'explicit')).toEqual(
      expect.arrayContaining([
        { from: joint, to: sailing[4] as string, kind: 'explicit', weight: 1 },
        { from: joint, to: baking[0] as string, kind: 'explicit', weight: 1 },
      ]),
    )
    await change(user, joint, { metadata: { links: [sailing[4]] } })
    await until(
      () => graph(user),
      (each) => each.edges.filter(({ kind }) => kind === 'explicit').length === 1,
    )
  })
})

describe('bridge memories', () => {
  test('a memory that leaves its thread is no bridge of it any more', async () => {
    const user = await newVerifiedUser(server.current)
    const ids = await writeAll(
      user,
      SAILING.map((content) => ({ content, thread: 'sailing' })),
    )
    await until(
      () => bridges(user),
      ({ total }) => total === 3,
    )
    await change(user, ids[2] ?? '', { thread: null })
    const { bridge_memories } = await until(
      () => bridges(user),
      ({ total }) => total === 2,
    )
    expect(bridge_memories.map(({ memory_id }) => memory_id)).not.toContain(ids[2])
  })

  test('without memories there are no bridges', async () => {
    const user = await newVerifiedUser(server.current)
    expect(await bridges(user)).toEqual({ user_id: user.id, bridge_memories: [], total: 0 })
  })

  test('the first request after the first write returns bridges', async () => {
    const user = await newVerifiedUser(server.current)
    await writeAll(
      user,
      BAKING.map((content) => ({ content, thread: 'one' })),
    )
    expect((await bridges(user)).total).toBe(3)
  })

  test('limit bounds the list, and total counts all', async () => {
    const user = await newVerifiedUser(server.current)
    await writeGroups(user)
    const { bridge_memories, total } = await until(
      () => bridges(user, 2),
      (each) => each.total === 6,
    )
    expect([bridge_memories.length, total]).toEqual([2, 6])
  })

  test('the limit of bridges is 1 to 100', async () => {
    const { key } = await newVerifiedUser(server.current)
    for (const limit of ['0', '101', 'many', '1.5']) {
      const path = `/api/introspect/bridge-memories?limit=${limit}`
      const { status, body } = await request(server.current, 'GET', path, { token: key })
      expect([limit, status, body.detail[0].loc]).toEqual([limit, 422, ['query', 'limit']])
    }
  })

  test('bridges require a verified email address', async () => {
    const { key } = await newUser(server.current)
    for (const path of ['bridge-memories', 'graph', 'stats']) {
      const answer = await request(server.current, 'GET', `/api/introspect/${path}`, { token: key })
      expect([answer.status, answer.body.detail.error]).toEqual([403, 'email_not_verified'])
    }
  })

  test('bridges of another user are not visible', async () => {
    const [ada, bob] = [
      await newVerifiedUser(server.current),
      await newVerifiedUser(server.current),
    ]
    const { sailing } = await writeGroups(ada)
    await write(bob, { content: JOINT, metadata: { links: sailing } })
    await until(
      () => graph(bob),
      ({ node_count }) => node_count === 1,
    )
    expect(await bridges(bob)).toMatchObject({ bridge_memories: [], total: 0 })
    expect((await graph(bob)).edges).toEqual([])
  })
})

describe('the graph', () => {
  let user: TestUser
  let sailing: string[]
  let newer: string
  let answer: Awaited<ReturnType<typeof graph>>
  beforeAll(async () => {
    user = await newVerifiedUser(server.current)
    const groups = await writeGroups(user)
    sailing = groups.sailing
    newer = await write(user, {
      content: 'The keel was scraped in spring, not before winter.',
      thread: 'sailing',
      supersedes: sailing[3] as string,
    })
    await write(user, { content: JOINT })
    await write(user, { content: `  Long:\n${'word '.repeat(100)}` })
    answer = await until(
      () => graph(user),
      ({ node_count }) => node_count === 12,
    )
  })

  test('a node has the label, type, thread and betweenness of its memory', () => {
    const node = answer.nodes.find(({ memory_id }) => memory_id === sailing[0])
    expect(node).toEqual({
      memory_id: sailing[0] as string,
      label: SAILING[0] as string,
      memory_type: 'semantic',
      importance: 0.5,
      thread: 'sailing',
      time: ISO,
      betweenness: expect.any(Number),
    })
    const labels = answer.nodes.map(({ label }) => label)
    expect(labels.find((label) => label.startsWith('Long: word'))).toMatch(/^.{79}…$/)
    expect(answer).toMatchObject({ is_sampled: false, computed_at: expect.any(String) })
    expect(answer.edge_count).toBeGreaterThan(0)
  })

  test('neighbours in a thread are linked, across deleted memories', () => {
    const threads = answer.edges.filter(({ kind }) => kind === 'thread')
    expect(threads).toContainEqual({
      from: sailing[2] as string,
      to: sailing[4] as string,
      kind: 'thread',
      weight: 1,
    })
    expect(threads).toHaveLength(8)
  })

  test('a supersession is an edge', () => {
    expect(answer.edges).toContainEqual({
      from: newer,
      to: sailing[3] as string,
      kind: 'supersedes',
      weight: 1,
    })
    expect(answer.nodes.map(({ memory_id }) => memory_id)).toContain(sailing[3] as string)
  })

  test('edges connect listed nodes only, also with a small limit', async () => {
    for (const limit of [1, 4, 8]) {
      const { nodes, edges } = await graph(user, limit)
      const ids = nodes.map(({ memory_id }) => memory_id)
      expect(nodes).toHaveLength(limit)
      expect(edges.every(({ from, to }) => ids.includes(from) && ids.includes(to))).toBe(true)
    }
  })

  test('the limit of the graph is 1 to 5,000', async () => {
    for (const limit of [0, 5001]) {
      const path = `/api/introspect/graph?limit=${limit}`
      const { status } = await request(server.current, 'GET', path, { token: user.key })
      expect([limit, status]).toEqual([limit, 422])
    }
  })

  test('processing memories again keeps the graph', async () => {
    const again = async () => {
      await change(user, sailing[0] as string, { content: SAILING[0] as string })
      await until(
        () => statistics(user),
        ({ engines }) => engines.every(({ pending }) => pending === 0),
      )
      return (await graph(user)).edges
    }
    expect(await again()).toEqual(await again())
  })
})

describe('statistics', () => {
  test('statistics count memories, threads, authors, tags, facts and links', async () => {
    const user = await newVerifiedUser(server.current)
    const { sailing } = await writeGroups(user)
    await write(user, {
      content: 'Ich wohne in einer kleinen Wohnung am Rande der Stadt, und das gefällt mir sehr.',
      memory_type: 'episodic',
      tags: ['home', 'berlin'],
      author: 'Ada',
    })
    await write(user, {
      content: 'I live in Lisbon.',
      tags: ['home'],
      supersedes: sailing[0] as string,
    })
    await user.client.call(deleteMemory, { params: { memory_id: sailing[1] as string }, query: {} })
    const answer = await until(
      () => statistics(user),
      ({ engines }) => engines.every(({ pending }) => pending === 0),
    )
    expect(answer).toMatchObject({
      memories: {
        total: 10,
        by_type: { semantic: 9, episodic: 1 },
        by_language: { english: 9, german: 1 },
        forgotten: 1,
        superseded: 1,
      },
      threads: 2,
      authors: 1,
      tags: [
        { tag: 'home', count: 2 },
        { tag: 'berlin', count: 1 },
      ],
      facts: { home: 1 },
    })
    expect(answer.engines.map(({ engine }) => engine)).toContain('graph')
    const { oldest, newest } = answer.memories
    expect(oldest && newest && oldest < newest).toBe(true)
  })

  test('statistics of a new user are zero', async () => {
    const user = await newVerifiedUser(server.current)
    expect(await statistics(user)).toMatchObject({
      memories: { total: 0, by_type: {}, oldest: null, newest: null },
      threads: 0,
      tags: [],
      links: 0,
    })
  })
})
