import { expect, test } from 'bun:test'
import { openPostgres } from '../../server/platform/db/postgres.ts'
import {
  deleteMemory,
  getMemory,
  listMemories,
  recall,
  remember,
  rememberBatch,
  restoreMemory,
  updateMemory,
} from '../../shared/contract/index.ts'
import type { Memory } from '../../shared/contract/memories.ts'
import { newUser, request, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const fieldsOf = (body: { detail: { loc: (string | number)[]; type: string }[] }) =>
  body.detail.map(({ loc, type }) => [loc.join('.'), type])

test('a remembered memory is returned with all its fields and defaults', async () => {
  const user = await newUser(server.current)
  const answer = await request(server.current, 'POST', '/api/remember', {
    token: user.key,
    body: { content: 'Ada prefers tea.' },
  })
  expect(answer.status).toBe(201)
  expect(answer.body).toEqual({
    memory_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    content_text: 'Ada prefers tea.',
    memory_type: 'semantic',
    importance: 0.5,
    tags: [],
    thread: null,
    position: null,
    author: null,
    agent_slug: null,
    project: null,
    org_id: null,
    source: { kind: 'api_key', ref: user.keyId, trust: 'user' },
    metadata: {},
    occurred_at: null,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updated_at: answer.body.created_at,
    valid_from: null,
    valid_to: null,
    supersedes: null,
    superseded_by: null,
    deduplicated: false,
  })
})

test('every field of a memory is returned as it was sent, with instants in UTC', async () => {
  const { client } = await newUser(server.current)
  const input = {
    content: 'Line one\nLine two: “quotes”, 漢字, 🎈 and \\ backslash',
    memory_type: 'episodic',
    importance: 0.875,
    tags: ['a', 'b,c', '{d}', '"e"'],
    thread: 'chat 7',
    author: 'Ada Lovelace',
    agent_slug: 'helper',
    occurred_at: '2023-05-08T13:56:00+02:00',
    metadata: { nested: { list: [1, null, 'x'] }, ok: true },
  } as const
  const { memory_id } = await client.call(remember, { body: { ...input, tags: [...input.tags] } })
  const memory = await client.call(getMemory, { params: { memory_id } })
  expect(memory).toMatchObject({
    content_text: input.content,
    memory_type: input.memory_type,
    importance: input.importance,
    tags: [...input.tags],
    thread: input.thread,
    position: 1,
    author: input.author,
    agent_slug: input.agent_slug,
    occurred_at: '2023-05-08T11:56:00.000Z',
    metadata: input.metadata as unknown as Memory['metadata'],
  })
})

test('content of 32,000 characters is accepted and of 32,001 refused', async () => {
  const { key } = await newUser(server.current)
  const send = (content: unknown) =>
    request(server.current, 'POST', '/api/remember', { token: key, body: { content } })
  expect((await send('a'.repeat(32_000))).status).toBe(201)
  expect(fieldsOf((await send('a'.repeat(32_001))).body)).toEqual([
    ['body.content', 'string_too_long'],
  ])
  expect(fieldsOf((await send('')).body)).toEqual([['body.content', 'string_too_short']])
  expect(fieldsOf((await send(' \n\t')).body)).toEqual([
    ['body.content', 'string_pattern_mismatch'],
  ])
  expect(fieldsOf((await send(7)).body)).toEqual([['body.content', 'string_type']])
})

test('all invalid fields of a memory are reported in one response', async () => {
  const { key } = await newUser(server.current)
  const { status, body } = await request(server.current, 'POST', '/api/remember', {
    token: key,
    body: {
      memory_type: 'vague',
      importance: 1.1,
      tags: ['ok', 5],
      occurred_at: '2023-02-29',
      metadata: [],
    },
  })
  expect(status).toBe(422)
  expect(fieldsOf(body).sort()).toEqual([
    ['body.content', 'missing'],
    ['body.importance', 'less_than_equal'],
    ['body.memory_type', 'literal_error'],
    ['body.metadata', 'dict_type'],
    ['body.occurred_at', 'datetime_parsing'],
    ['body.tags.1', 'string_type'],
  ])
})

test('the same content is stored once in a thread, and again in another thread', async () => {
  const { client } = await newUser(server.current)
  const first = await client.call(remember, { body: { content: 'Once.', thread: 'a' } })
  const again = await client.call(remember, { body: { content: 'Once.', thread: 'a' } })
  expect(again).toMatchObject({ memory_id: first.memory_id, deduplicated: true })
  const elsewhere = await client.call(remember, { body: { content: 'Once.', thread: 'b' } })
  const nowhere = await client.call(remember, { body: { content: 'Once.' } })
  expect([elsewhere.deduplicated, nowhere.deduplicated]).toEqual([false, false])
})

test('the same content written by 30 concurrent requests is stored once', async () => {
  const { client } = await newUser(server.current)
  const written = await Promise.all(
    Array.from({ length: 30 }, () =>
      client.call(remember, { body: { content: 'All at once.', thread: 'busy' } }),
    ),
  )
  expect(new Set(written.map(({ memory_id }) => memory_id)).size).toBe(1)
  expect(written.filter(({ deduplicated }) => !deduplicated).length).toBe(1)
  const { memories } = await client.call(listMemories)
  expect(memories.length).toBe(1)
})

test('memories written to one thread concurrently get different positions', async () => {
  const { client } = await newUser(server.current)
  const written = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      client.call(remember, { body: { content: `Turn number ${i}.`, thread: 'talk' } }),
    ),
  )
  const places = written.map(({ position }) => position).sort((a, b) => Number(a) - Number(b))
  expect(places).toEqual(Array.from({ length: 30 }, (_, i) => i + 1))
})

test('a batch is returned in its order, with positions in each thread', async () => {
  const { client } = await newUser(server.current)
  const { memories, count } = await client.call(rememberBatch, {
    body: {
      memories: [
        { content: 'one', thread: 'x' },
        { content: 'two', thread: 'y' },
        { content: 'three', thread: 'x' },
        { content: 'one', thread: 'x' },
        { content: 'alone' },
      ],
    },
  })
  expect(count).toBe(5)
  expect(memories.map((m) => [m.content_text, m.thread, m.position, m.deduplicated])).toEqual([
    ['one', 'x', 1, false],
    ['two', 'y', 1, false],
    ['three', 'x', 2, false],
    ['one', 'x', 1, true],
    ['alone', null, null, false],
  ])
})

test('a batch with one invalid memory stores none', async () => {
  const { key, client } = await newUser(server.current)
  const { status, body } = await request(server.current, 'POST', '/api/remember/batch', {
    token: key,
    body: { memories: [{ content: 'good' }, { content: '' }, { content: 'good too' }] },
  })
  expect([status, fieldsOf(body)]).toEqual([422, [['body.memories.1.content', 'string_too_short']]])
  expect((await client.call(listMemories)).memories).toEqual([])
})

test('a batch accepts 1 to 1,000 memories', async () => {
  const { key } = await newUser(server.current)
  const send = (length: number) =>
    request(server.current, 'POST', '/api/remember/batch', {
      token: key,
      body: { memories: Array.from({ length }, (_, i) => ({ content: `Memory ${i}` })) },
    })
  expect(fieldsOf((await send(0)).body)).toEqual([['body.memories', 'too_short']])
  expect((await send(1000)).status).toBe(201)
  expect(fieldsOf((await send(1001)).body)).toEqual([['body.memories', 'too_long']])
})

test('concurrent batches with the same contents in opposite order all succeed', async () => {
  const { client } = await newUser(server.current)
  const contents = Array.from({ length: 200 }, (_, i) => `Shared content ${i}`)
  const batches = [contents, contents.toReversed(), contents, contents.toReversed()]
  await Promise.all(
    batches.map((batch) =>
      client.call(rememberBatch, { body: { memories: batch.map((content) => ({ content })) } }),
    ),
  )
  const ids = new Set<string>()
  for (let cursor: string | undefined; ; ) {
    const page = await client.call(listMemories, {
      query: { limit: 100, ...(cursor && { cursor }) },
    })
    for (const { memory_id } of page.memories) ids.add(memory_id)
    if (!page.next_cursor) break
    cursor = page.next_cursor
  }
  expect(ids.size).toBe(200)
})

test('the list has every memory once, newest first, page by page', async () => {
  const { client } = await newUser(server.current)
  for (const content of ['first', 'second', 'third', 'fourth', 'fifth'])
    await client.call(remember, { body: { content } })
  const one = await client.call(listMemories, { query: { limit: 2 } })
  const two = await client.call(listMemories, {
    query: { limit: 2, cursor: one.next_cursor ?? '' },
  })
  const three = await client.call(listMemories, {
    query: { limit: 2, cursor: two.next_cursor ?? '' },
  })
  expect([one, two, three].map(({ memories }) => memories.map((m) => m.content_text))).toEqual([
    ['fifth', 'fourth'],
    ['third', 'second'],
    ['first'],
  ])
  expect(three.next_cursor).toBeNull()
})

test('the list can be filtered by thread and by type', async () => {
  const { client } = await newUser(server.current)
  await client.call(remember, { body: { content: 'a', thread: 't', memory_type: 'episodic' } })
  await client.call(remember, { body: { content: 'b', thread: 't' } })
  await client.call(remember, { body: { content: 'c' } })
  const inThread = await client.call(listMemories, { query: { thread: 't' } })
  expect(inThread.memories.map((m) => m.content_text)).toEqual(['b', 'a'])
  const episodic = await client.call(listMemories, { query: { memory_type: 'episodic' } })
  expect(episodic.memories.map((m) => m.content_text)).toEqual(['a'])
})

test('the list can be filtered by the time of the event', async () => {
  const { client } = await newUser(server.current)
  for (const day of [1, 2, 3]) {
    const body = { content: `day ${day}`, occurred_at: `2025-01-0${day}T12:00:00Z` }
    await client.call(remember, { body })
  }
  await client.call(remember, { body: { content: 'today' } })
  const listed = async (query: { since?: string; until?: string }) =>
    (await client.call(listMemories, { query })).memories.map((m) => m.content_text)
  expect(await listed({ since: '2025-01-02T12:00:00Z' })).toEqual(['today', 'day 3', 'day 2'])
  expect(await listed({ until: '2025-01-02T13:00:00+01:00' })).toEqual(['day 1'])
  const period = { since: '2025-01-02T00:00:00Z', until: '2025-01-03T00:00:00Z' }
  expect(await listed(period)).toEqual(['day 2'])
})

test('the list can be filtered by tag and by author', async () => {
  const { client } = await newUser(server.current)
  await client.call(remember, { body: { content: 'a', tags: ['x', 'y'], author: 'Ann' } })
  await client.call(remember, { body: { content: 'b', tags: ['xy'], author: 'Ann' } })
  await client.call(remember, { body: { content: 'c', tags: ['y'] } })
  const listed = async (query: { tag?: string; author?: string }) =>
    (await client.call(listMemories, { query })).memories.map((m) => m.content_text)
  expect(await listed({ tag: 'y' })).toEqual(['c', 'a'])
  expect(await listed({ author: 'Ann' })).toEqual(['b', 'a'])
  expect(await listed({ tag: 'y', author: 'Ann' })).toEqual(['a'])
  expect(await listed({ tag: '%' })).toEqual([])
})

test('the list of deleted memories has those that can be restored, until they are', async () => {
  const { client } = await newUser(server.current)
  const { client: stranger } = await newUser(server.current)
  const ids: string[] = []
  for (const content of ['kept', 'deleted', 'deleted long ago', 'erased'])
    ids.push((await client.call(remember, { body: { content, tags: ['t'] } })).memory_id)
  const [, deleted = '', old = '', erased = ''] = ids
  for (const memory_id of [deleted, old]) await client.call(deleteMemory, { params: { memory_id } })
  await client.call(deleteMemory, { params: { memory_id: erased }, query: { permanent: true } })
  const database = await openPostgres(server.current.database.env.SVC_DATABASE_URL ?? '')
  await database.query(
    "update memories set deleted_at = now() - interval '31 days' where memory_id = $1",
    [old],
  )
  await database.close()
  const query = { deleted: true }
  const { memories } = await client.call(listMemories, { query: { ...query, tag: 't' } })
  expect(memories.map((m) => m.content_text)).toEqual(['deleted'])
  expect((await stranger.call(listMemories, { query })).memories).toEqual([])
  expect((await client.call(listMemories)).memories.map((m) => m.content_text)).toEqual(['kept'])

  const get = async (memory_id: string) =>
    (await client.call(getMemory, { params: { memory_id }, query })).content_text
  expect(await get(deleted)).toBe('deleted')
  for (const id of [old, erased, ids[0] ?? '']) await expect(get(id)).rejects.toThrow('not found')

  await client.call(restoreMemory, { params: { memory_id: deleted } })
  expect((await client.call(listMemories, { query })).memories).toEqual([])
})

test.each(['0', '101', 'ten', '1.5'])('a list with the limit %s is refused', async (limit) => {
  const { key } = await newUser(server.current)
  const { status, body } = await request(server.current, 'GET', `/api/memories?limit=${limit}`, {
    token: key,
  })
  expect(status).toBe(422)
  expect(body.detail[0].loc).toEqual(['query', 'limit'])
})

test('a list with an empty thread is refused instead of listing all memories', async () => {
  const { key } = await newUser(server.current)
  const path = '/api/memories?thread='
  const { status, body } = await request(server.current, 'GET', path, { token: key })
  expect([status, body.detail[0].type]).toEqual([422, 'string_too_short'])
})

test('a deleted memory is not read, listed or recalled, and can be remembered again', async () => {
  const { client, key } = await newUser(server.current)
  const { memory_id } = await client.call(remember, { body: { content: 'The safe code is 1234.' } })
  await client.call(deleteMemory, { params: { memory_id } })

  const read = await request(server.current, 'GET', `/api/memories/${memory_id}`, { token: key })
  expect([read.status, read.body]).toEqual([404, { detail: 'Memory not found' }])
  expect((await client.call(listMemories)).memories).toEqual([])
  expect((await client.call(recall, { body: { query: 'safe code' } })).count).toBe(0)
  const twice = await request(server.current, 'DELETE', `/api/memories/${memory_id}`, {
    token: key,
  })
  expect(twice.status).toBe(404)

  const anew = await client.call(remember, { body: { content: 'The safe code is 1234.' } })
  expect(anew.deduplicated).toBe(false)
  expect((await client.call(recall, { body: { query: 'safe code' } })).count).toBe(1)
})

test('a permanent delete erases a memory, deleted before or not', async () => {
  const { client, key } = await newUser(server.current)
  for (const forgotten of [false, true]) {
    const { memory_id } = await client.call(remember, { body: { content: 'Gone for good.' } })
    if (forgotten) await client.call(deleteMemory, { params: { memory_id } })
    await client.call(deleteMemory, { params: { memory_id }, query: { permanent: true } })
    const again = await request(
      server.current,
      'DELETE',
      `/api/memories/${memory_id}?permanent=true`,
      { token: key },
    )
    expect(again.status).toBe(404)
  }
})

test('one of several concurrent deletes of a memory succeeds', async () => {
  const { client, key } = await newUser(server.current)
  const { memory_id } = await client.call(remember, { body: { content: 'Contended.' } })
  await client.call(remember, { body: { content: 'A contended bystander.' } })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      request(server.current, 'DELETE', `/api/memories/${memory_id}`, { token: key }),
    ),
  )
  expect(answers.filter(({ status }) => status === 204).length).toBe(1)
  const { memories } = await client.call(recall, { body: { query: 'contended' } })
  expect(memories.map((m) => m.content_text)).toEqual(['A contended bystander.'])
})

test('a memory of another user is answered like one that does not exist', async () => {
  const owner = await newUser(server.current)
  const otherUser = await newUser(server.current)
  const { memory_id } = await owner.client.call(remember, { body: { content: 'Mine alone.' } })
  const missing = crypto.randomUUID()
  for (const method of ['GET', 'DELETE']) {
    const theirs = await request(server.current, method, `/api/memories/${memory_id}`, {
      token: otherUser.key,
    })
    const nothing = await request(server.current, method, `/api/memories/${missing}`, {
      token: otherUser.key,
    })
    expect([theirs.status, theirs.body]).toEqual([nothing.status, nothing.body])
  }
  const found = await otherUser.client.call(recall, { body: { query: 'Mine alone' } })
  expect(found).toEqual({ memories: [], count: 0 })
  expect((await owner.client.call(getMemory, { params: { memory_id } })).memory_id).toBe(memory_id)
})

test('an invalid memory id is answered with 422', async () => {
  const { key } = await newUser(server.current)
  const { status, body } = await request(server.current, 'GET', '/api/memories/seven', {
    token: key,
  })
  expect([status, fieldsOf(body)]).toEqual([422, [['path.memory_id', 'uuid_parsing']]])
})

test('a memory with a position gets that position, one without is last', async () => {
  const { client } = await newUser(server.current)
  const write = async (content: string, position?: number) =>
    (
      await client.call(remember, {
        body: { content, thread: 'story', position: position ?? null },
      })
    ).position
  expect(await write('The end.', 3)).toBe(3)
  expect(await write('The beginning.', 1)).toBe(1)
  expect(await write('The sequel.')).toBe(4)
  const { memories } = await client.call(rememberBatch, {
    body: {
      memories: [
        { content: 'The far future.', thread: 'story', position: 50 },
        { content: 'Afterwards.', thread: 'story' },
        { content: 'The middle.', thread: 'story', position: 2 },
        { content: 'A place without a thread is none.', position: 7 },
      ],
    },
  })
  expect(memories.map(({ position }) => position)).toEqual([50, 51, 2, null])
  expect(await write('The last.')).toBe(52)

  const [middle] = (
    await client.call(recall, { body: { query: 'beginning', thread: 'story' } })
  ).memories.slice(1)
  expect(middle?.content_text).toBe('The middle.')
})

test('a memory can be moved to another position in its thread or in a new one', async () => {
  const { client } = await newUser(server.current)
  const { memory_id } = await client.call(remember, { body: { content: 'Once.', thread: 'a' } })
  const change = async (body: object) => {
    const memory = await client.call(updateMemory, { params: { memory_id }, body })
    return [memory.thread, memory.position]
  }
  expect(await change({ position: 5 })).toEqual(['a', 5])
  expect(await change({ importance: 1 })).toEqual(['a', 5])
  expect(await change({ thread: 'b', position: 9 })).toEqual(['b', 9])
  expect(await change({ thread: 'c' })).toEqual(['c', 1])
  expect(await change({ thread: null, position: 4 })).toEqual([null, null])
  const next = await client.call(remember, { body: { content: 'Then.', thread: 'b' } })
  expect(next.position).toBe(10)
})
