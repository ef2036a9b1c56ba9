import { describe, expect, test } from 'bun:test'
import { getMemory, remember } from '../../shared/contract/index.ts'
import { newUser, useSharedServer } from '../harness/server.ts'
import { textOf, ways } from './client.ts'

const server = useSharedServer()

const FIX = 'Correct them and call again.'

const HERON = {
  content: 'A heron at the pond.',
  memory_type: 'episodic' as const,
  tags: ['birds'],
  thread: 'notes',
}

interface Ids {
  memory_id: string
}

const REQUIRED: Record<string, object> = {
  recall: { query: 'heron' },
  remember: { content: 'A heron.' },
  update: { memory_id: crypto.randomUUID() },
}

/** Tool, arguments as loose hosts send them, and the same as the schema has them. */
const SAME_AS: [string, object, object][] = [
  ['recall', { limit: '1' }, { limit: 1 }],
  ['recall', { limit: '1.0' }, { limit: 1 }],
  ['recall', { limit: 1.0, max_tokens: '' }, { limit: 1 }],
  ['recall', { max_chars: '5000' }, { max_chars: 5_000 }],
  ['recall', { thread: '' }, {}],
  ['recall', { thread: 'null', author: 'null' }, {}],
  ['recall', { cursor: '', since: '', as_of: 'null' }, {}],
  ['recall', { format: 'TEXT', max_tokens: '900' }, { format: 'text', max_tokens: 900 }],
  ['recall', { memory_type: 'Episodic' }, { memory_type: 'episodic' }],
  ['recall', { tags: 'birds' }, { tags: ['birds'] }],
  ['recall', { tags: '["birds"]' }, { tags: ['birds'] }],
  ['recall', { tags: '' }, {}],
  ['recall', { tags: 'null' }, {}],
  ['recall', { explain: 'False' }, { explain: false }],
  ['list', { limit: '', cursor: '' }, {}],
  ['list', { limit: 'null', tag: 'null' }, {}],
  ['list', { deleted: 'TRUE' }, { deleted: true }],
  ['list', { sort: 'Happened' }, { sort: 'happened' }],
  ['list', { memory_type: '', author: '' }, {}],
]

/** Arguments of `remember`, and the fields of the memory. */
const STORED: [object, object][] = [
  [{ importance: '0.7' }, { importance: 0.7 }],
  [
    { importance: '', memory_type: 'null' },
    { importance: 0.5, memory_type: 'semantic' },
  ],
  [{ tags: 'lake, birds' }, { tags: ['lake, birds'] }],
  [{ tags: '["lake", "birds"]' }, { tags: ['lake', 'birds'] }],
  [{ tags: '[draft]' }, { tags: ['[draft]'] }],
  [{ metadata: '{"page": "5"}' }, { metadata: { page: '5' } }],
  [
    { thread: '', author: 'null', occurred_at: '' },
    { thread: null, author: null },
  ],
  [{ supersedes: 'null', thread: '5' }, { thread: '5' }],
  [{ content: 'null' }, { content_text: 'null' }],
  [{ content: '5' }, { content_text: '5' }],
  [{ content: '[1]' }, { content_text: '[1]' }],
]

/** Tool, and a value that has no meaning for the field. */
const REFUSED: [string, object][] = [
  ['recall', { query: '' }],
  ['recall', { limit: 'ten' }],
  ['recall', { limit: '1.5' }],
  ['recall', { limit: true }],
  ['recall', { tags: '{"a": "b"}' }],
  ['recall', { tags: '["a"' }],
  ['recall', { tags: {} }],
  ['recall', { memory_type: 'fact' }],
  ['recall', { explain: 'yes' }],
  ['list', { deleted: 'yes' }],
  ['remember', { content: null }],
  ['remember', { importance: 'high' }],
  ['remember', { tags: '[1]' }],
  ['remember', { metadata: '[1]' }],
  ['update', { supersede: 'yes' }],
  ['update', { supersede: 1 }],
  ['remember_batch', { memories: '' }],
]

// The arguments are read behind the protocol, so one revision shows it.
describe.each(ways.filter(([name]) => !name.includes('older')))('over %s', (_, connect) => {
  test.each(SAME_AS)('%s with %j answers as with %j', async (name, loose, exact) => {
    const { key, client } = await newUser(server.current)
    for (const body of [HERON, { content: 'A stork at the lake.' }])
      await client.call(remember, { body })
    await using mcp = await connect(server.current, key)
    const query = name === 'recall' ? { query: 'heron stork' } : {}
    const [one, other] = [
      await mcp.call(name, { ...query, ...loose }),
      await mcp.call(name, { ...query, ...exact }),
    ]
    expect(other.isError).toBeFalsy()
    expect([textOf(one), one.structuredContent]).toEqual([textOf(other), other.structuredContent])
  })

  test.each(STORED)('remember with %j stores %j', async (input, stored) => {
    const { key, client } = await newUser(server.current)
    await using mcp = await connect(server.current, key)
    const batch = { memories: JSON.stringify([{ content: 'An egret.', ...input }]) }
    for (const [name, given] of [
      ['remember', { content: 'A heron.', ...input }],
      ['remember_batch', batch],
    ] as const) {
      const result = await mcp.call(name, given)
      expect([textOf(result), result.isError ?? false]).toEqual([textOf(result), false])
      const content = result.structuredContent as Ids & { memories?: Ids[] }
      const { memory_id } = content.memories?.[0] ?? content
      const memory = await client.call(getMemory, { params: { memory_id } })
      expect(memory).toMatchObject(stored)
    }
  })

  test('an update understands a boolean as a text, and keeps the field with "null"', async () => {
    const { key, client } = await newUser(server.current)
    await using mcp = await connect(server.current, key)
    const { memory_id } = await client.call(remember, { body: HERON })
    const input = { memory_id, content: 'A heron at the lake.', supersede: 'True', tags: 'null' }
    expect((await mcp.call('update', input)).structuredContent).toMatchObject({
      supersedes: memory_id,
      tags: HERON.tags,
    })
  })

  test.each(REFUSED)('%s with %j names the field and the fix', async (name, input) => {
    const { key } = await newUser(server.current)
    await using mcp = await connect(server.current, key)
    const result = await mcp.call(name, { ...REQUIRED[name], ...input })
    const [field] = Object.keys(input)
    expect([result.isError, textOf(result)]).toEqual([
      true,
      expect.stringMatching(new RegExp(`^Invalid arguments: ${field}[:.].*${FIX}$`)),
    ])
  })
})
