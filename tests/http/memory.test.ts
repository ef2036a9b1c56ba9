import { expect, test } from 'bun:test'
import {
  deleteMemory,
  getMemory,
  listMemories,
  recall,
  remember,
  rememberBatch,
  updateMemory,
} from '../../shared/contract/index.ts'
import type { Memory } from '../../shared/schemas/memory.ts'
import { newUser, request, useServer } from '../harness/server.ts'

const server = useServer()

const fieldsOf = (body: { detail: { loc: (string | number)[]; type: string }[] }) =>
  body.detail.map(({ loc, type }) => [loc.join('.'), type])

test('a memory is answered with all its fields, defaults filled in', async () => {
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
    org_id: null,
    source: { kind: 'api_key', ref: user.keyId },
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

test('every field of a memory comes back as it was given, instants in UTC', async () => {
  const { client } = await newUser(server.current)
  const given = {
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
  const { memory_id } = await client.call(remember, { body: { ...given, tags: [...given.tags] } })
  const memory = await client.call(getMemory, { params: { memory_id } })
  expect(memory).toMatchObject({
    content_text: given.content,
    memory_type: given.memory_type,
    importance: given.importance,
    tags: [...given.tags],
    thread: given.thread,
    position: 1,
    author: given.author,
    agent_slug: given.agent_slug,
    occurred_at: '2023-05-08T11:56:00.000Z',
    metadata: given.metadata as unknown as Memory['metadata'],
  })
})

test('content may be 32,000 characters long and not one more', async () => {
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

test('every wrong field of a memory is told at once', async () => {
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

test('the same content in the same thread is kept once, elsewhere again', async () => {
  const { client } = await newUser(server.current)
  const first = await client.call(remember, { body: { content: 'Once.', thread: 'a' } })
  const again = await client.call(remember, { body: { content: 'Once.', thread: 'a' } })
  expect(again).toMatchObject({ memory_id: first.memory_id, deduplicated: true })
  const elsewhere = await client.call(remember, { body: { content: 'Once.', thread: 'b' } })
  const nowhere = await client.call(remember, { body: { content: 'Once.' } })
  expect([elsewhere.deduplicated, nowhere.deduplicated]).toEqual([false, false])
})

test('the same content written by 30 requests at once is kept once', async () => {
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

test('memories written to one thread at once each get a place of their own', async () => {
  const { client } = await newUser(server.current)
  const written = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      client.call(remember, { body: { content: `Turn number ${i}.`, thread: 'talk' } }),
    ),
  )
  const places = written.map(({ position }) => position).sort((a, b) => Number(a) - Number(b))
  expect(places).toEqual(Array.from({ length: 30 }, (_, i) => i + 1))
})

test('a batch is answered in its order, with places in each thread', async () => {
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

test('a batch with one wrong memory stores none', async () => {
  const { key, client } = await newUser(server.current)
  const { status, body } = await request(server.current, 'POST', '/api/remember/batch', {
    token: key,
    body: { memories: [{ content: 'good' }, { content: '' }, { content: 'good too' }] },
  })
  expect([status, fieldsOf(body)]).toEqual([422, [['body.memories.1.content', 'string_too_short']]])
  expect((await client.call(listMemories)).memories).toEqual([])
})

test('a batch takes 1 to 1,000 memories', async () => {
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

test('two batches that write the same contents in opposite order both end well', async () => {
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

test('the list goes page by page from the newest to the oldest, each memory once', async () => {
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

test('the list keeps to a thread and a type when asked', async () => {
  const { client } = await newUser(server.current)
  await client.call(remember, { body: { content: 'a', thread: 't', memory_type: 'episodic' } })
  await client.call(remember, { body: { content: 'b', thread: 't' } })
  await client.call(remember, { body: { content: 'c' } })
  const inThread = await client.call(listMemories, { query: { thread: 't' } })
  expect(inThread.memories.map((m) => m.content_text)).toEqual(['b', 'a'])
  const episodic = await client.call(listMemories, { query: { memory_type: 'episodic' } })
  expect(episodic.memories.map((m) => m.content_text)).toEqual(['a'])
})

test.each(['0', '101', 'ten', '1.5'])('a list of %s is refused', async (limit) => {
  const { key } = await newUser(server.current)
  const { status, body } = await request(server.current, 'GET', `/api/memories?limit=${limit}`, {
    token: key,
  })
  expect(status).toBe(422)
  expect(body.detail[0].loc).toEqual(['query', 'limit'])
})

test('a list of a thread without a name is refused, and not the list of all', async () => {
  const { key } = await newUser(server.current)
  const path = '/api/memories?thread='
  const { status, body } = await request(server.current, 'GET', path, { token: key })
  expect([status, body.detail[0].type]).toEqual([422, 'string_too_short'])
})

test('a forgotten memory is neither read, listed nor recalled, and may be remembered anew', async () => {
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

test('a memory is erased for good when asked, also after it was forgotten', async () => {
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

test('one memory is forgotten once, however many ask at once', async () => {
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

test('somebody else’s memory answers as one that is not there', async () => {
  const owner = await newUser(server.current)
  const stranger = await newUser(server.current)
  const { memory_id } = await owner.client.call(remember, { body: { content: 'Mine alone.' } })
  const missing = crypto.randomUUID()
  for (const method of ['GET', 'DELETE']) {
    const theirs = await request(server.current, method, `/api/memories/${memory_id}`, {
      token: stranger.key,
    })
    const nothing = await request(server.current, method, `/api/memories/${missing}`, {
      token: stranger.key,
    })
    expect([theirs.status, theirs.body]).toEqual([nothing.status, nothing.body])
  }
  const found = await stranger.client.call(recall, { body: { query: 'Mine alone' } })
  expect(found).toEqual({ memories: [], count: 0 })
  expect((await owner.client.call(getMemory, { params: { memory_id } })).memory_id).toBe(memory_id)
})

test('a memory id that is none gives 422', async () => {
  const { key } = await newUser(server.current)
  const { status, body } = await request(server.current, 'GET', '/api/memories/seven', {
    token: key,
  })
  expect([status, fieldsOf(body)]).toEqual([422, [['path.memory_id', 'uuid_parsing']]])
})

test('what is written out of order takes the place that it names, what names none stands last', async () => {
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

test('a memory is given another place in its thread, or in a new one', async () => {
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
