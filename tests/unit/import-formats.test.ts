import { describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { type Found, readMemories } from '../../server/memory/transfer/formats/index.ts'
import { readRecords } from '../../server/memory/transfer/formats/records.ts'
import { inParts } from '../../server/memory/transfer/formats/values.ts'
import type { ImportFormat } from '../../shared/schemas/transfer.ts'

/** A file that comes in pieces of a few bytes. */
async function* file(content: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size)
}

const recordsOf = (content: string | Uint8Array, size?: number) =>
  Array.fromAsync(readRecords(file(content, size)))

const foundIn = (content: unknown, format: ImportFormat = 'auto'): Promise<Found[]> =>
  Array.fromAsync(
    readMemories(file(typeof content === 'string' ? content : JSON.stringify(content)), format),
  )

const toldIn = async (content: unknown) =>
  (await foundIn(content)).map((found) => ('told' in found ? found.told : found))

describe('records', () => {
  test('are lines, counted with the blank ones, and a wrong one stops nothing', async () => {
    expect(await recordsOf('{"a":1}\n\n{wrong\r\n{"a":2}\r\n{"a":3}')).toEqual([
      { number: 1, value: { a: 1 } },
      { number: 3, problem: 'Not JSON' },
      { number: 4, value: { a: 2 } },
      { number: 5, value: { a: 3 } },
    ])
  })

  test('are the elements of a list, and a wrong one stops nothing', async () => {
    expect(await recordsOf('[{"a":"]},\\""}, {wrong},\n{"b":[1,{"c":2}]}, ]')).toEqual([
      { number: 1, value: { a: ']},"' } },
      { number: 2, problem: 'Not JSON' },
      { number: 3, value: { b: [1, { c: 2 }] } },
    ])
  })

  test('are found in an object around the list, indented or not', async () => {
    const page = { count: 2, next: null, results: [{ id: 'results' }, { id: 2 }], relations: [{}] }
    const found = [
      { number: 1, value: { id: 'results' } },
      { number: 2, value: { id: 2 } },
    ]
    expect(await recordsOf(JSON.stringify(page))).toEqual(found)
    expect(await recordsOf(JSON.stringify(page, null, 2))).toEqual(found)
  })

  test('are one where a file is one indented object', async () => {
    const value = { memory: 'x', tags: [] }
    expect(await recordsOf(JSON.stringify(value, null, 2))).toEqual([{ number: 1, value }])
  })

  test('are none in an empty file, a blank one and an empty list', async () => {
    for (const nothing of ['', ' \n\n', '[]', '[ \n ]\n', '{"results": []}'])
      expect([nothing, await recordsOf(nothing)]).toEqual([nothing, []])
  })

  test('that are not UTF-8 are told by number, and a byte order mark is passed over', async () => {
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

  test('of a compressed file are read as well, until where it is damaged', async () => {
    const packed = gzipSync(Array.from({ length: 5_000 }, (_, i) => `{"a":${i}}\n`).join(''))
    const all = await recordsOf(packed, 1_000)
    expect(all.length).toBe(5_000)
    const part = await recordsOf(packed.subarray(0, packed.length / 2), 1_000)
    expect(part.at(-1)).toEqual({
      number: part.length,
      problem: 'The compressed file is damaged, or ends in the middle',
    })
  })

  test('before the place where a list ends too early are kept', async () => {
    expect(await recordsOf('[{"a":1},{"a":')).toEqual([
      { number: 1, value: { a: 1 } },
      { number: 2, problem: 'The file ends in the middle of this' },
    ])
  })

  test('of an archive are asked for by themselves', async () => {
    expect(await recordsOf('PK\x03\x04…')).toEqual([
      { number: 1, problem: expect.stringContaining('unpack it') },
    ])
  })

  test('come out as they went in, wherever the pieces are cut', () =>
    fc.assert(
      fc.asyncProperty(
        fc
          .array(fc.jsonValue({ maxDepth: 3 }))
          .map((values) => JSON.parse(JSON.stringify(values)) as unknown[]),
        fc.integer({ min: 1, max: 40 }),
        async (values, size) => {
          const wanted = values.map((value, i) => ({ number: i + 1, value }))
          expect(await recordsOf(JSON.stringify(values), size)).toEqual(wanted as never)
          const objects = values.map((value) => ({ value }))
          const lines = objects.map((value) => JSON.stringify(value)).join('\n')
          expect(await recordsOf(lines, size)).toEqual(
            objects.map((value, i) => ({ number: i + 1, value })) as never,
          )
        },
      ),
    ))
})

describe('a text that is too long for one memory', () => {
  test('is cut between paragraphs, else lines, else words', () => {
    const paragraph = `${'word '.repeat(1_000).trim()}\n\n`
    for (const part of inParts(paragraph.repeat(20)).slice(0, -1)) expect(part).toEndWith('word')
    expect(inParts(paragraph.repeat(20)).map((part) => part.length)).toEqual([
      30_004, 30_004, 30_004, 10_000,
    ])
  })

  test('loses nothing but white space, and no character is halved', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), (text) => {
        const long = text.repeat(Math.ceil(70_000 / text.length))
        const parts = inParts(long)
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
const said = (role: string, parts: unknown[], more: object = {}) => ({
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
      ...node('n1', 'root', said('system', [''], { weight: 0 })),
      ...node(
        'n2',
        'n1',
        said('user', ['hidden'], { metadata: { is_visually_hidden_from_conversation: true } }),
      ),
      ...node('n3', 'n2', said('user', ['Which tea?'])),
      ...node('n4', 'n3', said('assistant', ['An answer that was regenerated'])),
      ...node('n5', 'n3', said('assistant', ['search()'], { recipient: 'browser' })),
      ...node('tool', 'n5', said('tool', ['found'])),
      ...node(
        'thought',
        'tool',
        said('assistant', [], { content: { content_type: 'thoughts', thoughts: [] } }),
      ),
      ...node(
        'n6',
        'thought',
        said('assistant', ['Sencha.', { content_type: 'image_asset_pointer' }]),
      ),
    },
  }

  test('becomes one memory a message of the branch last looked at', async () => {
    expect(await toldIn([conversation])).toEqual(
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

  test('without a current node follows the newest message, and a circle has an end', async () => {
    const mapping = {
      ...node('a', 'b', said('user', ['one'], { create_time: 1 })),
      ...node('b', 'a', said('assistant', ['two'], { create_time: 2 })),
    }
    const told = await toldIn([{ ...conversation, current_node: null, mapping }])
    expect(told.map((each) => (each as { content_text: string }).content_text)).toEqual([
      'one',
      'two',
    ])
  })

  test('has its longest messages in parts that follow each other', async () => {
    const mapping = node('n6', null, said('user', ['x'.repeat(70_000)]))
    const told = (await toldIn([{ ...conversation, mapping }])) as {
      position: number
      content_text: string
    }[]
    expect(told.map(({ position, content_text }) => [position, content_text.length])).toEqual([
      [1, 32_000],
      [2, 32_000],
      [3, 6_000],
    ])
  })

  test('has NUL and half characters made storable', async () => {
    const mapping = node('n6', null, said('user', ['a\0b\ud83dc']))
    const [told] = (await toldIn([{ ...conversation, mapping }])) as { content_text: string }[]
    expect(told?.content_text).toBe('ab\ufffdc')
  })
})

describe('Claude', () => {
  test('becomes one memory a message', async () => {
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
    expect(await toldIn([conversation])).toEqual([
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

  test('has what it keeps of a person taken paragraph by paragraph, with the heading', async () => {
    const file = [
      {
        conversations_memory:
          '**Work context**\n\nAda leads the team.\n\n**Personal**\n\nAda likes tea.',
        project_memories: { 'p-1': 'Hexagonal.' },
        account_uuid: 'a-1',
      },
    ]
    expect(await toldIn(file)).toEqual([
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
  test('has its observations and relations told as sentences', async () => {
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
    expect(await toldIn(lines.map((line) => JSON.stringify(line)).join('\n'))).toEqual([
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

  test('keeps its times, categories and metadata, as a list and as a page of one', async () => {
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
    expect(await toldIn([record])).toEqual(wanted)
    expect(await toldIn({ results: [record], relations: [] })).toEqual(wanted)
  })
})

describe('a record', () => {
  test('of no known format is told by number', async () => {
    expect(await foundIn('[1, {"x": 1}, {"memory": ""}]')).toEqual(
      [1, 2, 3].map((line) => ({ line, problem: 'Not a memory of any known format' })),
    )
  })

  test('of another format than the one asked for is told by number', async () => {
    expect(await foundIn([{ memory: 'x' }], 'claude')).toEqual([
      { line: 1, problem: 'Not a memory of claude' },
    ])
  })

  test('may be nested as deeply as it likes', async () => {
    const deep = `{"memory":"x","metadata":{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`
    expect(await foundIn(deep)).toHaveLength(1)
  })
})
