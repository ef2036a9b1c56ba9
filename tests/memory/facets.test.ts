import { describe, expect, test } from 'bun:test'
import {
  capture,
  deleteMemory,
  listMemories,
  memoryFacets,
  remember,
  rememberBatch,
} from '../../shared/contract/index.ts'
import { newUser, request, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const at = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString()

describe('the order of a list', () => {
  test('by event, the pages have each memory once, also where times are equal', async () => {
    const { client } = await newUser(server.current)
    const days = [3, 1, 2, 2, 2, 5, 4]
    await client.call(rememberBatch, {
      body: {
        memories: [
          ...days.map((day, i) => ({ content: `event ${i}`, occurred_at: at(day) })),
          { content: 'stored now' },
        ],
      },
    })
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: { memories: { content_text: string }[]; next_cursor: string | null } =
        await client.call(listMemories, {
          query: { sort: 'happened', limit: 2, ...(cursor && { cursor }) },
        })
      seen.push(...page.memories.map(({ content_text }) => content_text))
      cursor = page.next_cursor
    } while (cursor)
    expect(seen[0]).toBe('stored now')
    const places = seen.slice(1).map((text) => Number(text.slice('event '.length)))
    expect(places.map((place) => days[place])).toEqual([5, 4, 3, 2, 2, 2, 1])
    expect(new Set(places).size).toBe(days.length)
  })

  test('a page after a forgotten memory goes on; after an erased one it says so', async () => {
    const { client, key } = await newUser(server.current)
    const { memories } = await client.call(rememberBatch, {
      body: { memories: [1, 2, 3].map((day) => ({ content: `${day}`, occurred_at: at(day) })) },
    })
    const last = memories[2]?.memory_id ?? ''
    const query = { sort: 'happened', cursor: last } as const
    await client.call(deleteMemory, { params: { memory_id: last } })
    const page = await client.call(listMemories, { query })
    expect(page.memories.map(({ content_text }) => content_text)).toEqual(['2', '1'])
    await client.call(deleteMemory, { params: { memory_id: last }, query: { permanent: true } })
    const path = `/api/memories?sort=happened&cursor=${last}`
    expect((await request(server.current, 'GET', path, { token: key })).status).toBe(404)
  })
})

describe('facets', () => {
  test('count what the filters leave, the most frequent first, and nothing of others', async () => {
    const { client, key } = await newUser(server.current)
    const other = await newUser(server.current)
    await other.client.call(remember, { body: { content: 'secret', tags: ['theirs'] } })
    await client.call(rememberBatch, {
      body: {
        memories: [
          { content: 'a', tags: ['tea', 'food'], author: 'Ada', thread: 'talk' },
          { content: 'b', tags: ['tea'], author: 'Ada', thread: 'talk' },
          { content: 'c', tags: ['__proto__'], memory_type: 'preference', agent_slug: 'herald' },
        ],
      },
    })
    await client.call(capture, {
      body: {
        client: 'codex',
        session: 's1',
        channel: 'hook',
        messages: [{ turn: '1', role: 'user', content: 'I water the fern on Monday.' }],
      },
    })
    const all = await client.call(memoryFacets)
    expect(all).toMatchObject({
      total: 4,
      tag: [
        { value: 'tea', count: 2 },
        { value: '__proto__', count: 1 },
        { value: 'food', count: 1 },
      ],
      agent_slug: [{ value: 'herald', count: 1 }],
      client: [{ value: 'codex', count: 1 }],
      trust: [{ value: 'user', count: 4 }],
    })
    expect(all.author[0]).toEqual({ value: 'Ada', count: 2 })
    expect(all.thread[0]).toEqual({ value: 'talk', count: 2 })
    const tea = await client.call(memoryFacets, { query: { tag: 'tea', limit: 1 } })
    expect(tea).toMatchObject({ total: 2, author: [{ value: 'Ada', count: 2 }], agent_slug: [] })

    for (const query of ['client=codex', 'agent_slug=herald', 'trust=user&tag=food']) {
      const [list, facets] = await Promise.all(
        ['/api/memories', '/api/memories/facets'].map((path) =>
          request(server.current, 'GET', `${path}?${query}`, { token: key }),
        ),
      )
      expect(list?.body.memories.length).toBe(1)
      expect(facets?.body.total).toBe(1)
    }
    const none = await client.call(memoryFacets, { query: { trust: 'external' } })
    expect(none).toMatchObject({ total: 0, tag: [], thread: [] })
  })
})
