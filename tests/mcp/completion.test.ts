import { describe, expect, test } from 'bun:test'
import { createClient } from '../../shared/client.ts'
import {
  completeMemoryField,
  createKey,
  deleteMemory,
  rememberBatch,
} from '../../shared/contract/index.ts'
import { newUser, request, type TestUser, useSharedServer } from '../harness/server.ts'
import { connectHttp, connectMcp, ways } from './client.ts'

const server = useSharedServer()

const template = (uri: string) => ({ type: 'ref/resource', uri }) as const
const prompt = (name: string) => ({ type: 'ref/prompt', name }) as const
const THREAD = template('svc://threads/{thread}')
const TAG = template('svc://tags/{tag}')
const MEMORY = template('svc://memories/{memory_id}')

const store = async ({ client }: TestUser, ...memories: object[]): Promise<string[]> => {
  const body = {
    memories: memories.map((memory, i) => ({ content: `Memory ${i}`, ...memory })),
  }
  return (await client.call(rememberBatch, { body })).memories.map(({ memory_id }) => memory_id)
}

type Ref = typeof THREAD | ReturnType<typeof prompt>
type Completer = {
  client: {
    complete(params: { ref: Ref; argument: { name: string; value: string } }): Promise<{
      completion: { values: string[]; hasMore?: boolean | undefined }
    }>
  }
}

const complete = async ({ client }: Completer, ref: Ref, name: string, value: string) =>
  (await client.complete({ ref, argument: { name, value } })).completion

for (const [name, connect] of ways)
  test(`over ${name}, arguments are completed by the memories of the caller alone`, async () => {
    const user = await newUser(server.current)
    const ids = await store(
      user,
      { thread: 'Trip to Köln', tags: ['travel', 'train'], author: 'Tara' },
      { thread: 'trip to Oslo', tags: ['travel'] },
      { thread: 'Budget' },
    )
    await store(await newUser(server.current), { thread: 'Trip of a stranger', tags: ['tragedy'] })
    await using mcp = (await connect(server.current, user.key)) as Completer & AsyncDisposable
    const values = async (ref: Ref, argument: string, value: string) =>
      (await complete(mcp, ref, argument, value)).values
    expect((await values(THREAD, 'thread', 'TRIP')).sort()).toEqual([
      'Trip to Köln',
      'trip to Oslo',
    ])
    expect((await values(THREAD, 'thread', '')).length).toBe(3)
    expect(await values(TAG, 'tag', 'tra')).toEqual(['travel', 'train'])
    expect(await values(MEMORY, 'memory_id', '')).toEqual(ids.toReversed())
    expect(await values(MEMORY, 'memory_id', ids[0]?.slice(0, 34).toUpperCase() ?? '')).toContain(
      ids[0] ?? '',
    )
    expect(await values(MEMORY, 'memory_id', 'zebra')).toEqual([])
    expect(await values(prompt('weekly_review'), 'about', 't')).toEqual(['Tara', 'travel', 'train'])
    expect(await values(prompt('remember_conversation'), 'focus', 'trai')).toEqual(['train'])
    expect(await values(prompt('answer_from_memory'), 'question', 't')).toEqual([])
    for (const other of ['constructor', 'tag']) expect(await values(THREAD, other, 'T')).toEqual([])
    for (const ref of [prompt('constructor'), template('svc://other/{x}')])
      await expect(complete(mcp, ref, 'x', '')).rejects.toThrow('The reference is not known')
  })

describe('bounds of a completion', () => {
  test('a response has at most 100 values, and says that there are more', async () => {
    const user = await newUser(server.current)
    const memories = Array.from({ length: 130 }, (_, i) => ({
      thread: `thread ${i}`,
      tags: [`tag ${i}`],
    }))
    await store(user, ...memories)
    await using mcp = await connectHttp(server.current, user.key)
    for (const [ref, name, value] of [
      [THREAD, 'thread', 'thread'],
      [TAG, 'tag', ''],
      [MEMORY, 'memory_id', '0'],
    ] as const) {
      const { values, hasMore } = await complete(mcp, ref, name, value)
      expect([name, values.length, hasMore]).toEqual([name, 100, true])
    }
    expect(await complete(mcp, THREAD, 'thread', 'thread 12')).toEqual({
      values: ['thread 12', ...Array.from({ length: 10 }, (_, i) => `thread ${120 + i}`)],
      hasMore: false,
    })
  })

  test('a beginning that no value has completes to nothing, however long or odd it is', async () => {
    const user = await newUser(server.current)
    await store(user, { thread: 'a%b_c', tags: ['100%'] })
    await using mcp = await connectHttp(server.current, user.key)
    for (const value of ['x'.repeat(501), 'x'.repeat(500_000), '%', '_', '\0', '\ud800', "'; --"])
      expect((await complete(mcp, THREAD, 'thread', value)).values).toEqual([])
    expect((await complete(mcp, THREAD, 'thread', 'A%B_')).values).toEqual(['a%b_c'])
    for (const value of [
      'x'.repeat(600),
      '--------',
      '0-1',
      'ffffffff-',
      '00000000-0000-0000-0000-0000000000000',
    ])
      expect((await complete(mcp, MEMORY, 'memory_id', value)).values).toEqual([])
  })

  test('deleted memories, and in lockdown those of others, complete nothing', async () => {
    const user = await newUser(server.current)
    const [gone = ''] = await store(user, { thread: 'gone', tags: ['gone'] }, { thread: 'kept' })
    await user.client.call(deleteMemory, { params: { memory_id: gone } })
    await request(server.current, 'POST', '/api/memories/import', {
      token: user.key,
      body: JSON.stringify({ content: 'From a file.', thread: 'imported', tags: ['imported'] }),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    await using all = await connectHttp(server.current, user.key)
    expect((await complete(all, THREAD, 'thread', '')).values).toEqual(['imported', 'kept'])
    expect((await complete(all, TAG, 'tag', '')).values).toEqual(['imported'])
    await using locked = await connectHttp(server.current, user.key, '/api/mcp?lockdown=true')
    expect((await complete(locked, THREAD, 'thread', '')).values).toEqual(['kept'])
    expect((await complete(locked, TAG, 'tag', '')).values).toEqual([])
  })

  test('a key that only reads completes too, and without a key nothing is completed', async () => {
    const user = await newUser(server.current)
    await store(user, { thread: 'Budget' })
    const session = createClient({ baseUrl: server.current.url, credential: user.accessToken })
    const { key } = await session.call(createKey, {
      body: { name: 'reader', scopes: ['memory:read'] },
    })
    await using reader = await connectHttp(server.current, key)
    expect((await complete(reader, THREAD, 'thread', 'b')).values).toEqual(['Budget'])
    await using anonymous = await connectMcp({ SVC_URL: server.current.url })
    expect((await complete(anonymous, THREAD, 'thread', '')).values).toEqual([])
  })

  test('the endpoint refuses another field and a prefix that is too long', async () => {
    const { client, key } = await newUser(server.current)
    expect(await client.call(completeMemoryField, { query: { field: 'tag' } })).toEqual({
      values: [],
      has_more: false,
    })
    for (const query of ['', 'field=content', `field=tag&prefix=${'x'.repeat(501)}`]) {
      const path = `/api/memories/values?${query}`
      const { status } = await request(server.current, 'GET', path, { token: key })
      expect([query, status]).toEqual([query, 422])
    }
  })
})

test('the memories of a thread or a tag are read, and there is none of an unknown one', async () => {
  const user = await newUser(server.current)
  await store(
    user,
    { content: 'The ferry leaves at nine.', thread: 'Trip/1', tags: ['a b'] },
    { content: 'The hotel is booked.', thread: 'Trip/1' },
  )
  await using mcp = await connectHttp(server.current, user.key)
  const { resourceTemplates } = await mcp.client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'svc://memories/{memory_id}',
    'svc://threads/{thread}',
    'svc://tags/{tag}',
  ])
  const read = async (uri: string) => {
    const [content] = (await mcp.client.readResource({ uri })).contents
    return content && 'text' in content ? content.text : ''
  }
  const thread = await read('svc://threads/Trip%2F1')
  expect(thread).toMatch(
    /^1\. .*\n {3}The hotel is booked\.\n2\. .*\n {3}The ferry leaves at nine\.$/,
  )
  expect(await read('svc://tags/a%20b')).toContain('The ferry leaves')
  for (const uri of ['svc://threads/other', 'svc://threads/%ff', `svc://tags/${'x'.repeat(2_000)}`])
    await expect(read(uri)).rejects.toThrow(/not found/i)
})
