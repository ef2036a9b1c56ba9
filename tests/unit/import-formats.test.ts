import { describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { splitContent } from '../../server/memory/transfer/formats/format.ts'
import { type FoundMemory, memoriesOf } from '../../server/memory/transfer/formats/index.ts'
import { MEMORY_RECORDS } from '../../server/memory/transfer/import-reader.ts'
import { parseRecord, readRecords } from '../../server/platform/records/records.ts'
import type { ImportFormat } from '../../shared/contract/transfer.ts'

/** A file in chunks of a few bytes. */
async function* file(content: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size)
}

const recordsOf = async (content: string | Uint8Array, size?: number) =>
  (await Array.fromAsync(readRecords(file(content, size), MEMORY_RECORDS))).map(parseRecord)

const foundIn = async (content: unknown, format: ImportFormat = 'auto'): Promise<FoundMemory[]> =>
  (await recordsOf(typeof content === 'string' ? content : JSON.stringify(content))).flatMap(
    (record) => [...memoriesOf(record, format)],
  )

const memoriesIn = async (content: unknown) =>
  (await foundIn(content)).map((found) => ('raw' in found ? found.raw : found))

describe('records', () => {
  test('lines are numbered with blank ones, and an invalid line does not stop the import', async () => {
    expect(await recordsOf('{"a":1}\n\n{wrong\r\n{"a":2}\r\n{"a":3}')).toEqual([
      { number: 1, value: { a: 1 } },
      { number: 3, problem: 'Not JSON' },
      { number: 4, value: { a: 2 } },
      { number: 5, value: { a: 3 } },
    ])
  })

  test('list elements are records, and an invalid one does not stop the import', async () => {
    expect(await recordsOf('[{"a":"]},\\""}, {wrong},\n{"b":[1,{"c":2}]}, ]')).toEqual([
      { number: 1, value: { a: ']},"' } },
      { number: 2, problem: 'Not JSON' },
      { number: 3, value: { b: [1, { c: 2 }] } },
    ])
  })

  test('a list within an object is found, indented or not', async () => {
    const page = { count: 2, next: null, results: [{ id: 'results' }, { id: 2 }], relations: [{}] }
    const found = [
      { number: 1, value: { id: 'results' } },
      { number: 2, value: { id: 2 } },
    ]
    expect(await recordsOf(JSON.stringify(page))).toEqual(found)
    expect(await recordsOf(JSON.stringify(page, null, 2))).toEqual(found)
    for (const bracket of ['[', ']', '{', '}'])
      expect(await recordsOf(JSON.stringify({ separator: bracket, ...page }))).toEqual(found)
  })

  test('a single indented object is one record', async () => {
    const value = { memory: 'x', tags: [] }
    expect(await recordsOf(JSON.stringify(value, null, 2))).toEqual([{ number: 1, value }])
  })

  test('an empty file, a blank one and an empty list have no records', async () => {
    for (const nothing of ['', ' \n\n', '[]', '[ \n ]\n', '{"results": []}'])
      expect([nothing, await recordsOf(nothing)]).toEqual([nothing, []])
  })

  test('records that are not UTF-8 are reported by number; a byte order mark is skipped', async () => {
    const bytes = Buffer.concat([
      Buffer.from('\ufeff{"a":1}\n{"a":"'),
      Buffer.from([0xff]),
      Buffer.from('"}\n{"a":2}'),
    ])
    expect(await recordsOf(bytes)).toEqual([
      { number: 1, value: { a: 1 } },
      { number: 2, problem: 'Not UTF-8 text' },
      { number: 3, value: { a: 2 } },
    ])
  })

  test('a compressed file is read up to its damage', async () => {
    const packed = gzipSync(Array.from({ length: 5_000 }, (_, i) => `{"a":${i}}\n`).join(''))
    const all = await recordsOf(packed, 1_000)
    expect(all.length).toBe(5_000)
    const part = await recordsOf(packed.subarray(0, packed.length / 2), 1_000)
    expect(part.at(-1)).toEqual({
      number: part.length,
      problem: 'The compressed file is damaged or incomplete',
    })
  })

  test('records before the end of a truncated list are kept', async () => {
    expect(await recordsOf('[{"a":1},{"a":')).toEqual([
      { number: 1, value: { a: 1 } },
      { number: 2, problem: 'The file ends within this record' },
    ])
  })

  test('a ZIP archive is rejected with a hint', async () => {
    expect(await recordsOf('PK\x03\x04…')).toEqual([
      { number: 1, problem: expect.stringContaining('unpack it') },
    ])
  })

  test('records do not depend on the chunks of the file', () =>
    fc.assert(
      fc.asyncProperty(
        fc
          .array(fc.jsonValue({ maxDepth: 3 }))
          .map((values) => JSON.parse(JSON.stringify(values)) as unknown[]),
        fc.integer({ min: 1, max: 40 }),
        async (values, size) => {
          const wanted = values.map((value, i) => ({ number: i + 1, value }))
          expect(await recordsOf(JSON.stringify(values), size)).toEqual(wanted)
          const objects = values.map((value) => ({ value }))
          const lines = objects.map((value) => JSON.stringify(value)).join('\n')
          expect(await recordsOf(lines, size)).toEqual(
            objects.map((value, i) => ({ number: i + 1, value })),
          )
        },
      ),
    ))
})

describe('texts that are too long for one memory', () => {
  test('a long text is split between paragraphs, lines or words', () => {
    const paragraph = `${'word '.repeat(1_000).trim()}\n\n`
    for (const part of splitContent(paragraph.repeat(20)).slice(0, -1))
      expect(part).toEndWith('word')
    expect(splitContent(paragraph.repeat(20)).map((part) => part.length)).toEqual([
      30_004, 30_004, 30_004, 10_000,
    ])
  })

  test('splitting loses white space only, and keeps surrogate pairs', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), (text) => {
        const long = text.repeat(Math.ceil(70_000 / text.length))
        const parts = splitContent(long)
        const bare = (all: string) => all.replace(/\s+/g, '')
        expect(bare(parts.join(''))).toBe(bare(long))
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(32_000)
          expect(part.isWellFormed()).toBe(true)
        }
      }),
      { numRuns: 50 },
    ))
})

const node = (id: string, parent: string | null, message: object | null) => ({
  [id]: { id, parent, children: [], message },
})
const exportedMessage = (role: string, parts: unknown[], more: object = {}) => ({
  id: `m-${parts[0]}`,
  author: { role, name: null, metadata: {} },
  create_time: 1704067300.5,
  update_time: null,
  content: { content_type: 'text', parts },
  status: 'finished_successfully',
  weight: 1,
  metadata: {},
  recipient: 'all',
  ...more,
})

describe('ChatGPT', () => {
  const conversation = {
    title: 'Tea',
    create_time: 1704067200,
    update_time: 1704067500,
    conversation_id: 'c-1',
    id: 'c-1',
    current_node: 'n6',
    mapping: {
      ...node('root', null, null),
      ...node('n1', 'root', exportedMessage('system', [''], { weight: 0 })),
      ...node(
        'n2',
        'n1',
        exportedMessage('user', ['hidden'], {
          metadata: { is_visually_hidden_from_conversation: true },
        }),
      ),
      ...node('n3', 'n2', exportedMessage('user', ['Which tea?'])),
      ...node('n4', 'n3', exportedMessage('assistant', ['An answer that was regenerated'])),
      ...node('n5', 'n3', exportedMessage('assistant', ['search()'], { recipient: 'browser' })),
      ...node('tool', 'n5', exportedMessage('tool', ['found'])),
      ...node(
        'thought',
        'tool',
        exportedMessage('assistant', [], { content: { content_type: 'thoughts', thoughts: [] } }),
      ),
      ...node(
        'n6',
        'thought',
        exportedMessage('assistant', ['Sencha.', { content_type: 'image_asset_pointer' }]),
      ),
    },
  }

  test('ChatGPT: each message of the selected branch is a memory', async () => {
    expect(await memoriesIn([conversation])).toEqual(
      [
        { author: 'user', content_text: 'Which tea?', position: 1, ref: 'chatgpt:m-Which tea?' },
        { author: 'assistant', content_text: 'Sencha.', position: 2, ref: 'chatgpt:m-Sencha.' },
      ].map(({ ref, ...message }) => ({
        ...message,
        memory_type: 'episodic',
        thread: 'chatgpt:c-1',
        tags: ['chatgpt'],
        metadata: { title: 'Tea' },
        source: { kind: 'import', ref },
        occurred_at: '2024-01-01T00:01:40.500Z',
      })),
    )
  })

  test('ChatGPT: without a current node the newest branch is read; a cycle ends', async () => {
    const mapping = {
      ...node('a', 'b', exportedMessage('user', ['one'], { create_time: 1 })),
      ...node('b', 'a', exportedMessage('assistant', ['two'], { create_time: 2 })),
    }
    const memories = await memoriesIn([{ ...conversation, current_node: null, mapping }])
    expect(memories.map((each) => (each as { content_text: string }).content_text)).toEqual([
      'one',
      'two',
    ])
  })

  test('ChatGPT: a very long message is several consecutive memories', async () => {
    const mapping = node('n6', null, exportedMessage('user', ['x'.repeat(70_000)]))
    const memories = (await memoriesIn([{ ...conversation, mapping }])) as {
      position: number
      content_text: string
    }[]
    expect(memories.map(({ position, content_text }) => [position, content_text.length])).toEqual([
      [1, 32_000],
      [2, 32_000],
      [3, 6_000],
    ])
  })

  test('ChatGPT: NUL and lone surrogates are made storable', async () => {
    const mapping = node('n6', null, exportedMessage('user', ['a\0b\ud83dc']))
    const [memory] = (await memoriesIn([{ ...conversation, mapping }])) as {
      content_text: string
    }[]
    expect(memory?.content_text).toBe('ab\ufffdc')
  })
})

describe('Claude', () => {
  test('Claude: each message is a memory', async () => {
    const message = {
      uuid: 'm-1',
      text: 'Hello\n```\nThis block is not supported on your current device yet.\n```',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'Hello' },
        { type: 'tool_use', name: 'artifacts', input: {} },
        { type: 'text', text: 'Bye' },
      ],
      sender: 'assistant',
      created_at: '2025-01-01T12:01:00.123456Z',
      attachments: [],
      files: [],
    }
    const conversation = {
      uuid: 'c-1',
      name: 'Greeting',
      created_at: '2025-01-01T12:00:00.000000Z',
      updated_at: '2025-01-01T13:00:00.000000Z',
      account: { uuid: 'a-1' },
      chat_messages: [
        { ...message, uuid: 'm-0', sender: 'human', text: 'Hi', content: [], created_at: 'never' },
        message,
        { ...message, uuid: 'm-2', text: '', content: [] },
      ],
    }
    const common = {
      memory_type: 'episodic',
      thread: 'claude:c-1',
      tags: ['claude'],
      metadata: { title: 'Greeting' },
    }
    expect(await memoriesIn([conversation])).toEqual([
      {
        ...common,
        author: 'user',
        content_text: 'Hi',
        position: 1,
        source: { kind: 'import', ref: 'claude:m-0' },
        occurred_at: '2025-01-01T12:00:00.000Z',
      },
      {
        ...common,
        author: 'assistant',
        content_text: 'Hello\n\nBye',
        position: 2,
        source: { kind: 'import', ref: 'claude:m-1' },
        occurred_at: '2025-01-01T12:01:00.123Z',
      },
    ])
  })

  test('Claude: each paragraph of its memory is a memory, with the heading', async () => {
    const file = [
      {
        conversations_memory:
          '**Work context**\n\nAda leads the team.\n\n**Personal**\n\nAda likes tea.',
        project_memories: { 'p-1': 'Hexagonal.' },
        account_uuid: 'a-1',
      },
    ]
    expect(await memoriesIn(file)).toEqual([
      expect.objectContaining({
        content_text: '**Work context**\nAda leads the team.',
        thread: 'claude:memory',
        position: 1,
      }),
      expect.objectContaining({ content_text: '**Personal**\nAda likes tea.', position: 2 }),
      expect.objectContaining({ content_text: 'Hexagonal.', thread: 'claude:project:p-1' }),
    ])
  })
})

describe('the memory server of MCP', () => {
  test('MCP memory server: observations and relations become sentences', async () => {
    const lines = [
      { type: 'entity', name: 'Ada', entityType: 'person', observations: ['likes tea', 'is 36'] },
      { type: 'entity', name: 'ACME', entityType: 'company', observations: [] },
      { type: 'relation', from: 'Ada', to: 'ACME', relationType: 'works_at' },
    ]
    const source = (name: string) => ({ kind: 'import', ref: `mcp-memory:${name}` })
    const ada = {
      thread: 'mcp-memory:Ada',
      tags: ['person'],
      source: source('Ada'),
      metadata: { entity: 'Ada', entity_type: 'person' },
    }
    expect(await memoriesIn(lines.map((line) => JSON.stringify(line)).join('\n'))).toEqual([
      { ...ada, content_text: 'Ada: likes tea', position: 1 },
      { ...ada, content_text: 'Ada: is 36', position: 2 },
      {
        content_text: 'ACME: company',
        position: 1,
        thread: 'mcp-memory:ACME',
        tags: ['company'],
        source: source('ACME'),
        metadata: { entity: 'ACME', entity_type: 'company' },
      },
      {
        content_text: 'Ada works_at ACME',
        thread: 'mcp-memory:Ada',
        tags: ['relation'],
        source: source('Ada'),
        metadata: { from: 'Ada', to: 'ACME', relation_type: 'works_at' },
      },
    ])
  })
})

describe('mem0', () => {
  const record = {
    id: 'e1',
    memory: 'Ada likes tea',
    hash: 'c0ffee',
    user_id: 'ada',
    agent_id: 'cook',
    run_id: null,
    metadata: { type: 'preference' },
    categories: ['food', 'food'],
    created_at: '2024-07-20T01:30:36.275141-07:00',
    updated_at: null,
    score: 0.5,
  }

  test('mem0: times, categories and metadata are kept, from a list and from a page', async () => {
    const wanted = [
      {
        content_text: 'Ada likes tea',
        tags: ['food'],
        thread: null,
        agent_slug: 'cook',
        source: { kind: 'import', ref: 'mem0:e1' },
        metadata: {
          type: 'preference',
          mem0: { hash: 'c0ffee', user_id: 'ada', agent_id: 'cook' },
        },
        occurred_at: '2024-07-20T08:30:36.275Z',
        created_at: '2024-07-20T08:30:36.275Z',
        updated_at: '2024-07-20T08:30:36.275Z',
      },
    ]
    expect(await memoriesIn([record])).toEqual(wanted)
    expect(await memoriesIn({ results: [record], relations: [] })).toEqual(wanted)
  })
})

describe('records of other formats', () => {
  test('a record of no known format is reported by number', async () => {
    expect(await foundIn('[1, {"x": 1}, {"memory": ""}]')).toEqual(
      [1, 2, 3].map((line) => ({ line, problem: 'Not a memory of any known format' })),
    )
  })

  test('a record of another than the requested format is reported by number', async () => {
    expect(await foundIn([{ memory: 'x' }], 'claude')).toEqual([
      { line: 1, problem: 'Not a memory of claude' },
    ])
  })

  test('a deeply nested record is read', async () => {
    const deep = `{"memory":"x","metadata":{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`
    expect(await foundIn(deep)).toHaveLength(1)
  })
})
