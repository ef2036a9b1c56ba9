import { describe, expect, test } from 'bun:test'
import {
  deleteMemory,
  getMemory,
  memoryHistory,
  remember,
  updateMemory,
} from '../../shared/contract/index.ts'
import { newUser, useSharedServer } from '../harness/server.ts'
import { connectHttp, textOf, ways } from './client.ts'

const server = useSharedServer()

const idOf = (result: object) =>
  (result as { structuredContent: { memory_id: string } }).structuredContent.memory_id

describe.each(ways)('over %s', (_, connect) => {
  test('a forgotten memory is listed and restored', async () => {
    const { key } = await newUser(server.current)
    await using mcp = await connect(server.current, key)
    const memory_id = idOf(await mcp.call('remember', { content: 'The heron nests by the mill.' }))
    expect(textOf(await mcp.call('forget', { memory_id }))).toBe(
      `Forgot ${memory_id}. For 30 days, restore brings it back.`,
    )
    expect(textOf(await mcp.call('get', { memory_id }))).toContain('call list with deleted')
    expect(textOf(await mcp.call('list', { deleted: true }))).toContain(memory_id)
    const restored = await mcp.call('restore', { memory_id })
    expect(restored.structuredContent).toMatchObject({ memory_id })
    expect(textOf(restored)).toStartWith(`Restored ${memory_id} (`)
    expect(textOf(await mcp.call('list', { deleted: true }))).toBe('No memories.')
    expect(textOf(await mcp.call('recall', { query: 'heron' }))).toContain(memory_id)
  })

  test('several memories are stored by one call, in its order, all or none', async () => {
    const { key, client } = await newUser(server.current)
    await using mcp = await connect(server.current, key)
    const { memory_id: known } = await client.call(remember, { body: { content: 'A stork.' } })
    const { memory_id: old } = await client.call(remember, { body: { content: 'A grey heron.' } })
    const memories = [
      { content: 'A kingfisher.', tags: ['bird'], memory_type: 'episodic' },
      { content: 'A stork.' },
      { content: 'A blue heron.', supersedes: old },
    ]
    const stored = await mcp.call('remember_batch', { memories })
    const { memories: written } = stored.structuredContent as {
      memories: { memory_id: string }[]
    }
    const [first, second, third] = written.map(({ memory_id }) => memory_id)
    expect(second).toBe(known)
    expect(textOf(stored)).toBe(
      `Remembered, in the order of the call:\n1. ${first}\n2. ${known} (remembered already)\n3. ${third}, which replaces ${old}`,
    )
    expect(await client.call(getMemory, { params: { memory_id: first ?? '' } })).toMatchObject({
      content_text: 'A kingfisher.',
      memory_type: 'episodic',
      tags: ['bird'],
    })
    const invalid = await mcp.call('remember_batch', {
      memories: [{ content: 'An owl.' }, { content: '', importance: 2 }],
    })
    expect(textOf(invalid)).toMatch(
      /^Invalid arguments: memories\.1\.content: .*; memories\.1\.imp/,
    )
    const late = await mcp.call('remember_batch', {
      memories: [{ content: 'An owl.' }, { content: 'A white heron.', supersedes: old }],
    })
    expect(textOf(late)).toContain(`${third} has superseded ${old}: call again with that id.`)
    expect(textOf(await mcp.call('list', {}))).not.toContain('An owl.')
  })

  test('errors about a superseded memory name its successor', async () => {
    const { key, client } = await newUser(server.current)
    await using mcp = await connect(server.current, key)
    const { memory_id } = await client.call(remember, { body: { content: 'Ada is in Bonn.' } })
    const replaced = await mcp.call('remember', {
      content: 'Ada is in Lisbon.',
      supersedes: memory_id,
    })
    const successor = idOf(replaced)
    expect(textOf(replaced)).toBe(
      `Remembered as ${successor} (semantic; ${new Date().toISOString().slice(0, 10)}), which replaces ${memory_id}.`,
    )
    for (const [name, input] of [
      ['remember', { content: 'Ada is in Rome.', supersedes: memory_id }],
      ['update', { memory_id, content: 'Ada is in Rome.' }],
      ['update', { memory_id, content: 'Ada is in Rome.', supersede: true }],
    ] as const) {
      const refused = await mcp.call(name, input)
      expect([name, refused.isError, textOf(refused)]).toEqual([
        name,
        true,
        expect.stringContaining(
          `. ${successor} has superseded ${memory_id}: call again with that id.`,
        ),
      ])
    }
  })

  test('get returns importance, position, source and metadata', async () => {
    const { key, keyId, client } = await newUser(server.current)
    await using mcp = await connect(server.current, key)
    const body = { content: 'A heron.', importance: 0.9, thread: 'birds', metadata: { page: 4 } }
    const { memory_id } = await client.call(remember, { body })
    const got = await mcp.call('get', { memory_id })
    expect(got.structuredContent).toMatchObject({
      importance: 0.9,
      position: 1,
      source: { kind: 'api_key', ref: keyId },
      metadata: { page: 4 },
    })
    expect(textOf(got)).toContain(
      `\nImportance 0.9; position 1; source api_key ${keyId}; metadata {"page":4}\n   A heron.`,
    )
  })
})

test('an update without a change says so and adds no event', async () => {
  const { key, client } = await newUser(server.current)
  await using mcp = await connectHttp(server.current, key)
  const { memory_id } = await client.call(remember, { body: { content: 'A heron.' } })
  const empty = await mcp.call('update', { memory_id })
  expect([empty.isError, textOf(empty)]).toEqual([
    true,
    'Invalid arguments: content: is required, or another field to change. Correct them and call again.',
  ])
  const same = await mcp.call('update', { memory_id, content: 'A heron.' })
  expect(same.structuredContent).toMatchObject({ changed: false })
  expect(textOf(same)).toStartWith(
    `Nothing changed, because these are its present fields: ${memory_id}`,
  )
  const other = await mcp.call('update', { memory_id, content: 'A grey heron.' })
  expect(other.structuredContent).toMatchObject({ changed: true })
  const history = await client.call(memoryHistory, { params: { memory_id } })
  expect(history.map(({ action }) => action)).toEqual(['created', 'updated'])
})

test('the correction of a memory that superseded another one is called an update', async () => {
  const { key, client } = await newUser(server.current)
  await using mcp = await connectHttp(server.current, key)
  const { memory_id: old } = await client.call(remember, { body: { content: 'A heron.' } })
  const memory_id = idOf(await mcp.call('remember', { content: 'A stork.', supersedes: old }))
  expect(textOf(await mcp.call('update', { memory_id, content: 'A white stork.' }))).toStartWith(
    `Updated ${memory_id} (`,
  )
})

test('a memory that exists already is named as the reason of a failed restore or update', async () => {
  const { key, client } = await newUser(server.current)
  await using mcp = await connectHttp(server.current, key)
  const store = async () =>
    (await client.call(remember, { body: { content: 'A heron.' } })).memory_id
  const memory_id = await store()
  await client.call(deleteMemory, { params: { memory_id } })
  const second = await store()
  await client.call(updateMemory, { params: { memory_id: second }, body: { importance: 1 } })
  expect(textOf(await mcp.call('restore', { memory_id }))).toBe(
    'The same content is remembered already. Call recall with the content to find that memory.',
  )
})

test('a batch has at most 100 memories, and each supersedes another one', async () => {
  const { key, client } = await newUser(server.current)
  await using mcp = await connectHttp(server.current, key)
  const { memory_id } = await client.call(remember, { body: { content: 'A heron.' } })
  const batch = async (memories: unknown) => textOf(await mcp.call('remember_batch', { memories }))
  const contents = Array.from({ length: 101 }, (_, i) => ({ content: `Heron number ${i}.` }))
  expect(await batch(contents)).toContain('memories: must have at most 100 memories')
  expect((await batch(contents.slice(0, 100))).split('\n')).toHaveLength(101)
  expect(await batch([])).toContain('memories: ')
  expect(await batch([null])).toContain('memories.0: ')
  expect(await batch('A heron.')).toContain('memories: must be a list')
  const twice = ['A grey one.', 'A blue one.'].map((content) => ({
    content,
    supersedes: memory_id,
  }))
  expect(await batch(twice)).toContain('memories: two of them supersede the same memory')
})
