import { describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import {
  deleteMemory,
  exportMemories,
  importMemories,
  listMemories,
  recall,
  remember,
  updateMemory,
} from '../../shared/contract/index.ts'
import type { ExportedMemory, ImportReport } from '../../shared/contract/transfer.ts'
import { foldLabel, normalizeLabel, withoutInvisible } from '../../shared/labels.ts'
import { newUser, request, type TestUser, useServer } from '../harness/server.ts'
import { type Body, exportOf, importFile, linesOf, withoutIds } from './transfer-support.ts'

const server = useServer()

const exported = (user: TestUser) => exportOf(server.current, user)
const imported = (user: TestUser, body: Body, options?: { type?: string; query?: string }) =>
  importFile(server.current, user, body, options)

/** The response of an import. */
const report = (imported: number, deduplicated = 0, failed: ImportReport['failed'] = []) => ({
  status: 200,
  body: { imported, deduplicated, failed_count: failed.length, failed },
})

/** That of an import of the export of another person. */
const foreign = (imported: number, deduplicated = 0) => {
  const { status, body } = report(imported, deduplicated)
  return {
    status,
    body: { ...body, trust_lowered: [{ reason: 'other_account', count: imported }] },
  }
}

const asOf = async ({ client }: TestUser, query: string, as_of?: string) =>
  (await client.call(recall, { body: { query, ...(as_of && { as_of }) } })).memories.map(
    ({ content_text }) => content_text,
  )

/** A user with memories of every kind: in threads, linked, superseded and deleted. */
const userWithMemories = async () => {
  const user = await newUser(server.current)
  const { client } = user
  const store = async (body: Parameters<typeof client.call<typeof remember>>[1]['body']) =>
    (await client.call(remember, { body })).memory_id
  const tea = await store({
    content: 'Ada prefers tea.',
    memory_type: 'preference',
    importance: 0.9,
    tags: ['drinks', 'ada'],
    author: 'Ada',
    agent_slug: 'butler',
    project: 'acme/shop',
    metadata: { nested: { list: [1, 'two', null] }, 'a key\nof two lines': true },
    occurred_at: '2020-02-03T04:05:06.007Z',
  })
  await store({ content: 'Good morning.', thread: 'chat', author: 'Ada' })
  await store({ content: 'Good evening.', thread: 'chat', author: 'Ben' })
  await store({
    content: 'Kaffee trinkt sie nie, und Saft nur im Sommer.',
    metadata: { links: [tea] },
  })
  const paris = await store({ content: 'Ada lives in Paris.', occurred_at: '2019-01-01' })
  const rome = await store({
    content: 'Ada lives in Rome.',
    occurred_at: '2021-01-01',
    supersedes: paris,
  })
  await store({ content: 'Ada lives in Paris.', occurred_at: '2023-01-01', supersedes: rome })
  const forgotten = await store({ content: 'This is to be forgotten.' })
  await client.call(deleteMemory, { params: { memory_id: forgotten } })
  await client.call(updateMemory, { params: { memory_id: tea }, body: { importance: 0.8 } })
  return user
}

describe('exports', () => {
  test('an export is a named file of lines, the oldest memory first, with superseded ones', async () => {
    const user = await userWithMemories()
    const response = await fetch(new URL('/api/memories/export', server.current.url), {
      headers: { authorization: `Bearer ${user.key}` },
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="svc-memories-\d{4}-\d\d-\d\d\.ndjson"$/,
    )
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    await response.body?.cancel()
    const memories = await exported(user)
    expect(memories.map(({ content_text }) => content_text)).toEqual([
      'Ada prefers tea.',
      'Good morning.',
      'Good evening.',
      'Kaffee trinkt sie nie, und Saft nur im Sommer.',
      'Ada lives in Paris.',
      'Ada lives in Rome.',
      'Ada lives in Paris.',
    ])
  })

  test('the typed client reads an export as a stream', async () => {
    const user = await userWithMemories()
    const contents: string[] = []
    for await (const { content_text } of await user.client.call(exportMemories))
      contents.push(content_text)
    expect(contents).toEqual((await exported(user)).map(({ content_text }) => content_text))
  })

  test('an export has only the caller’s memories, and requires a credential', async () => {
    await userWithMemories()
    expect(await exported(await newUser(server.current))).toEqual([])
    const { status } = await request(server.current, 'GET', '/api/memories/export')
    expect(status).toBe(401)
  })
})

describe('an export imported into another account', () => {
  test('the memories are the same under new ids', async () => {
    const [from, to] = [await userWithMemories(), await newUser(server.current)]
    const before = await exported(from)
    expect(await imported(to, linesOf(before))).toEqual(foreign(7))
    const after = await exported(to)
    expect(withoutIds(after)).toEqual(withoutIds(before.map(asImported)))
    const ids = new Set(before.map(({ memory_id }) => memory_id))
    expect(after.filter(({ memory_id }) => ids.has(memory_id))).toEqual([])
  })

  test('recalls as of any time return the same', async () => {
    const [from, to] = [await userWithMemories(), await newUser(server.current)]
    await imported(to, linesOf(await exported(from)))
    for (const time of ['2020-01-01', '2022-01-01', '2024-01-01', undefined]) {
      const there = await asOf(to, 'Where does Ada live?', time)
      expect([time, there]).toEqual([time, await asOf(from, 'Where does Ada live?', time)])
    }
    expect((await asOf(to, 'Where does Ada live?', '2022-01-01'))[0]).toBe('Ada lives in Rome.')
    expect(await asOf(to, 'Rome')).toEqual([])
  })

  test('a second import in another order changes nothing', async () => {
    const [from, to] = [await userWithMemories(), await newUser(server.current)]
    const before = await exported(from)
    expect(await imported(to, linesOf(before.toReversed()))).toEqual(foreign(7))
    const after = await exported(to)
    expect(withoutIds(after)).toEqual(withoutIds(before.map(asImported)))
    expect(await imported(to, linesOf(before))).toEqual(report(0, 7))
    expect(await imported(to, linesOf([...before, ...before]))).toEqual(report(0, 14))
    expect(await exported(to)).toEqual(after)
  })

  test('importing it back into the first account adds no copy', async () => {
    const [from, to] = [await userWithMemories(), await newUser(server.current)]
    const before = await exported(from)
    expect(await imported(from, linesOf(before))).toEqual(report(0, 7))
    await imported(to, linesOf(before))
    expect(await imported(from, linesOf(await exported(to)))).toEqual(report(0, 7))
    expect(await exported(from)).toEqual(before)
  })

  test('a later import restores erased and deleted memories', async () => {
    const [from, to] = [await userWithMemories(), await newUser(server.current)]
    const before = await exported(from)
    await imported(to, linesOf(before))
    const [first, second] = await exported(to)
    for (const [memory, permanent] of [
      [first, true],
      [second, false],
    ] as const)
      await to.client.call(deleteMemory, {
        params: { memory_id: memory?.memory_id ?? '' },
        query: { permanent },
      })
    expect(await imported(to, linesOf(before))).toEqual(foreign(2, 5))
    const contents = (memories: ExportedMemory[]) =>
      memories.map(({ content_text }) => content_text).sort()
    expect(contents(await exported(to))).toEqual(contents(before))
    expect(await imported(to, linesOf(before))).toEqual(report(0, 7))
  })

  test('existing duplicates are kept, and imported memories refer to them', async () => {
    const [from, to] = [await userWithMemories(), await newUser(server.current)]
    const { client } = to
    const { memory_id: tea } = await client.call(remember, {
      body: { content: 'Ada prefers tea.', project: 'acme/shop' },
    })
    const { memory_id: paris } = await client.call(remember, {
      body: { content: 'Ada lives in Paris.' },
    })
    // The link precedes its target, and the superseded memory is in another batch than its successor.
    const before = await exported(from)
    const links = before.filter(({ metadata }) => metadata.links)
    const rest = before.filter(({ metadata }) => !metadata.links)
    expect(await imported(to, linesOf([...links, ...rest]))).toEqual(foreign(5, 2))
    const after = await exported(to)
    expect(after.find(({ metadata }) => metadata.links)?.metadata.links).toEqual([tea])
    const rome = after.find(({ content_text }) => content_text === 'Ada lives in Rome.')
    expect(rome?.superseded_by).toBe(paris)
    expect(after.find(({ memory_id }) => memory_id === paris)).toMatchObject({
      supersedes: rome?.memory_id,
      occurred_at: null,
    })
  })

  test('two concurrent imports store each memory once', async () => {
    const [from, to] = [await userWithMemories(), await newUser(server.current)]
    const before = linesOf(await exported(from))
    const answers = await Promise.all(Array.from({ length: 4 }, () => imported(to, before)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const total = answers.reduce((sum, { body }) => sum + Number(body.imported), 0)
    expect(total).toBe(7)
    expect(await exported(to)).toHaveLength(7)
  })

  test('links to later memories and to unknown ids are kept', async () => {
    const user = await newUser(server.current)
    const ids = Array.from({ length: 1_200 }, () => Bun.randomUUIDv7())
    const elsewhere = Bun.randomUUIDv7()
    const lines = ids.map((memory_id, i) => ({
      memory_id,
      content_text: `Step ${i} of the way.`,
      metadata: i === 0 ? { links: [ids[1], elsewhere, ids.at(-1), 'https://example.com', 7] } : {},
    }))
    expect(await imported(user, linesOf(lines))).toEqual(report(1_200))
    const memories = await exported(user)
    expect(memories[0]?.metadata.links).toEqual([
      memories[1]?.memory_id,
      elsewhere,
      memories.at(-1)?.memory_id,
      'https://example.com',
      7,
    ])
  })

  test('supersessions across batches are kept, in any order of lines', async () => {
    const user = await newUser(server.current)
    const versions = Array.from({ length: 1_100 }, (_, i) => ({
      memory_id: Bun.randomUUIDv7(),
      content_text: `The plan, version ${i}.`,
      created_at: new Date(Date.UTC(2024, 0, 1, 0, i)).toISOString(),
    }))
    const lines = versions.map((version, i) => ({
      ...version,
      supersedes: versions[i - 1]?.memory_id ?? null,
      superseded_by: versions[i + 1]?.memory_id ?? null,
    }))
    expect(await imported(user, linesOf(lines.toReversed()))).toEqual(report(1_100))
    const memories = await exported(user)
    for (const [i, memory] of memories.entries()) {
      expect(memory.content_text).toBe(`The plan, version ${i}.`)
      expect(memory.supersedes).toBe(memories[i - 1]?.memory_id ?? null)
      expect(memory.superseded_by).toBe(memories[i + 1]?.memory_id ?? null)
    }
    expect(await asOf(user, 'plan')).toEqual(['The plan, version 1099.'])
  })
})

const instant = () =>
  fc
    .date({
      min: new Date('1000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString())
/** Any text that can be stored. */
const text = (maxLength: number) =>
  fc
    .string({ unit: 'binary', minLength: 1, maxLength })
    .map((value) => value.replaceAll('\0', '').toWellFormed())
    .filter((value) => /\S/.test(value))
/** A tag or an author as it is stored. */
const label = (maxLength: number) =>
  text(maxLength)
    .map(normalizeLabel)
    .filter((value) => value !== '')
const json = () =>
  fc
    .jsonValue({ maxDepth: 3, stringUnit: 'grapheme' })
    .map((value) => JSON.parse(JSON.stringify(value)))

const anyMemory = () =>
  fc.record({
    content_text: text(80),
    memory_type: fc.constantFrom('semantic', 'episodic', 'procedural', 'preference'),
    importance: fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0),
    tags: fc.uniqueArray(label(20), { maxLength: 3, selector: foldLabel }),
    thread: fc.option(fc.constantFrom('one', 'two', 'Ω three')),
    position: fc.integer({ min: 1, max: 1_000 }),
    author: fc.option(label(20)),
    agent_slug: fc.option(text(20)),
    project: fc.option(fc.constantFrom('acme/shop', 'Ω/two words')),
    source: fc.record({ kind: text(10), ref: fc.option(text(20)) }),
    metadata: fc.dictionary(text(10), json(), { maxKeys: 3 }),
    occurred_at: fc.option(instant()),
    created_at: instant(),
    updated_at: instant(),
    valid_from: fc.option(instant()),
    language: fc.constantFrom('english', 'german', 'simple'),
  })

/** A memory as its import stores it: a file may be written by anyone. */
const asImported = <T extends { source: object }>(memory: T) => ({
  ...memory,
  source: { ...memory.source, trust: 'imported' },
})

/** Memories, each in a chain of supersessions or in none. */
const anyMemories = () =>
  fc
    .uniqueArray(fc.tuple(anyMemory(), fc.boolean()), {
      minLength: 1,
      maxLength: 12,
      selector: ([{ content_text, thread, project }]) =>
        JSON.stringify([thread, project, withoutInvisible(content_text)]),
    })
    .map((drawn) => {
      const lines = drawn.map(([memory, isSuperseded]) => ({
        ...memory,
        memory_id: Bun.randomUUIDv7(),
        isSuperseded,
      }))
      return lines.map(({ isSuperseded, ...line }, i) => {
        const [before, after] = [lines[i - 1], lines[i + 1]]
        return {
          ...line,
          valid_to: isSuperseded && after ? line.updated_at : null,
          supersedes: before?.isSuperseded ? before.memory_id : null,
          superseded_by: isSuperseded && after ? after.memory_id : null,
        }
      })
    })

test('any memories survive export, import and export', async () => {
  await fc.assert(
    fc.asyncProperty(anyMemories(), fc.infiniteStream(fc.nat()), async (lines, picks) => {
      const [one, two] = [await newUser(server.current), await newUser(server.current)]
      const byPick = [...picks.take(lines.length)]
      const shuffled = lines.toSorted((a, b) => {
        const [i, j] = [lines.indexOf(a), lines.indexOf(b)]
        return (byPick[i] ?? 0) - (byPick[j] ?? 0)
      })
      expect(await imported(one, linesOf(shuffled))).toEqual(report(lines.length))
      const first = await exported(one)
      const wanted = lines.map((line) => ({
        ...line,
        position: line.thread === null ? null : line.position,
        org_id: null,
        timezone: 'UTC',
      }))
      expect(withoutIds(first)).toEqual(withoutIds(wanted.map(asImported) as ExportedMemory[]))
      expect(await imported(two, linesOf(first))).toEqual(report(lines.length))
      expect(withoutIds(await exported(two))).toEqual(withoutIds(first))
      expect(await imported(two, linesOf(first))).toEqual(report(0, lines.length))
    }),
    { numRuns: 15 },
  )
})

describe('imported files', () => {
  const bodies = linesOf([{ content: 'One thing.' }, { content_text: 'Another thing.' }])

  test.each([
    'application/x-ndjson',
    'application/json',
    'text/plain; charset=utf-8',
    'application/octet-stream',
  ])('is taken as %s', async (type) => {
    const user = await newUser(server.current)
    expect(await imported(user, bodies, { type })).toEqual(report(2))
  })

  test('a file in a form with other fields is imported', async () => {
    const user = await newUser(server.current)
    const form = new FormData()
    form.set('note', 'x')
    form.set('file', new Blob([bodies]), 'memories.ndjson')
    form.set('more', 'y'.repeat(100_000))
    expect(await imported(user, form)).toEqual(report(2))
    const empty = new FormData()
    empty.set('other', new Blob([bodies]))
    expect(await imported(user, empty)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'file'], type: 'missing' }] },
    })
  })

  test('the typed client imports a compressed file', async () => {
    const user = await newUser(server.current)
    expect(await imported(user, gzipSync(bodies))).toEqual(report(2))
    expect(await user.client.call(importMemories, { file: bodies })).toEqual(report(0, 2).body)
  })

  test('another content type and an unknown format are rejected', async () => {
    const user = await newUser(server.current)
    expect((await imported(user, bodies, { type: 'image/png' })).status).toBe(422)
    expect((await imported(user, bodies, { query: '?format=xml' })).body).toMatchObject({
      detail: [{ loc: ['query', 'format'], type: 'literal_error' }],
    })
  })

  test('an empty file is imported', async () => {
    const user = await newUser(server.current)
    for (const empty of ['', '\n\n', '[]']) expect(await imported(user, empty)).toEqual(report(0))
  })

  test('a file may be larger than other request bodies', async () => {
    const user = await newUser(server.current)
    const lines = Array.from({ length: 80 }, (_, i) => ({
      content: `Long ${i}.`,
      metadata: { text: 'x'.repeat(50_000) },
    }))
    expect(await imported(user, linesOf(lines))).toEqual(report(80))
    expect(await exported(user)).toHaveLength(80)
  })

  test('invalid lines are reported by number, and valid ones imported', async () => {
    const user = await newUser(server.current)
    const file = Buffer.concat([
      Buffer.from(
        [
          '{"content_text":"First."}',
          '',
          '{"content_text":"Half',
          '{"content_text":""}',
          '{"content_text":"x","importance":2,"tags":"a"}',
          `{"content_text":"${'x'.repeat(32_001)}"}`,
          '{"content_text":"a\\u0000b"}',
          '{"content_text":"a\\ud800b"}',
          '{"content_text":"x","memory_id":"7"}',
          '[]',
          '{"x":1}',
          '{"content_text":"x","created_at":"yesterday"}',
          '{"content_text":"',
        ].join('\n'),
      ),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}\n{"content_text":"Last."}'),
    ])
    const { status, body } = await imported(user, file)
    expect([status, body.imported, body.failed_count]).toEqual([200, 2, 11])
    expect(body.failed).toEqual([
      { line: 3, detail: 'Not JSON' },
      { line: 4, detail: 'content_text: String should have at least 1 character' },
      {
        line: 5,
        detail:
          'importance: Input should be less than or equal to 1; tags: Input should be a valid list',
      },
      { line: 6, detail: 'content_text: String should have at most 32000 characters' },
      { line: 7, detail: 'content_text: String should be valid text without NUL' },
      { line: 8, detail: 'content_text: String should be valid text without NUL' },
      { line: 9, detail: 'memory_id: Input should be a valid UUID' },
      { line: 10, detail: 'Not a memory of any known format' },
      { line: 11, detail: 'Not a memory of any known format' },
      { line: 12, detail: 'created_at: Input should be a valid datetime' },
      { line: 13, detail: 'Not UTF-8 text' },
    ])
    const contents = (await exported(user)).map(({ content_text }) => content_text)
    expect(contents).toEqual(['First.', 'Last.'])
  })

  test('many invalid lines are counted, and the first ones listed', async () => {
    const user = await newUser(server.current)
    const { body } = await imported(user, 'no\n'.repeat(1_500))
    expect([body.failed_count, (body.failed as unknown[]).length]).toEqual([1_500, 1_000])
  })

  test('an aborted upload keeps stored memories; the next import completes it', async () => {
    const user = await newUser(server.current)
    const lines = Array.from({ length: 3_000 }, (_, i) => ({
      content: `Fact ${i}.`,
      metadata: { note: 'x'.repeat(100) },
    }))
    const file = linesOf(lines)
    const { hostname, port } = new URL(server.current.url)
    const socket = connect(Number(port), hostname)
    socket.write(
      `POST /api/memories/import HTTP/1.1\r\nhost: svc\r\nauthorization: Bearer ${user.key}\r\n` +
        `content-type: text/plain\r\ncontent-length: ${file.length}\r\n\r\n${file.slice(0, -10_000)}`,
    )
    let stored = 0
    while (stored === 0) {
      stored = (await user.client.call(listMemories)).memories.length
      await Bun.sleep(20)
    }
    socket.destroy()
    const { status, body } = await imported(user, file)
    expect([status, Number(body.imported) + Number(body.deduplicated)]).toEqual([200, 3_000])
    expect(Number(body.deduplicated)).toBeGreaterThanOrEqual(stored)
    const contents = (await exported(user)).map(({ content_text }) => content_text)
    expect(contents.toSorted()).toEqual(lines.map(({ content }) => content).toSorted())
  })
})

describe('files of other products', () => {
  const contentsOf = async (user: TestUser) =>
    (await exported(user)).map(({ content_text, thread, position, author, tags }) => [
      content_text,
      thread,
      position,
      author,
      tags.join(),
    ])

  test('a file of the MCP memory server imported twice adds no copies', async () => {
    const user = await newUser(server.current)
    const file = linesOf([
      { type: 'entity', name: 'Ada', entityType: 'person', observations: ['likes tea', 'is 36'] },
      { type: 'relation', from: 'Ada', to: 'ACME', relationType: 'works_at' },
    ])
    expect(await imported(user, file)).toEqual(report(3))
    expect(await imported(user, file)).toEqual(report(0, 3))
    expect(await contentsOf(user)).toEqual([
      ['Ada: likes tea', 'mcp-memory:Ada', 1, null, 'person'],
      ['Ada: is 36', 'mcp-memory:Ada', 2, null, 'person'],
      ['Ada works_at ACME', 'mcp-memory:Ada', 3, null, 'relation'],
    ])
    expect(await asOf(user, 'What does Ada like?')).toContain('Ada: likes tea')
  })

  test('a mem0 file keeps its times', async () => {
    const user = await newUser(server.current)
    const results = [
      {
        id: 'a',
        memory: 'Ada likes tea',
        user_id: 'ada',
        metadata: { room: 'kitchen' },
        categories: ['food'],
        created_at: '2024-07-20T01:30:36.275141-07:00',
        updated_at: '2024-07-21T01:30:36.275141-07:00',
      },
    ]
    expect(await imported(user, JSON.stringify({ results }))).toEqual(report(1))
    expect(await imported(user, JSON.stringify(results))).toEqual(report(0, 1))
    expect(await exported(user)).toEqual([
      expect.objectContaining({
        content_text: 'Ada likes tea',
        tags: ['food'],
        metadata: { room: 'kitchen', mem0: { user_id: 'ada' } },
        source: { kind: 'import', ref: 'mem0:a', trust: 'imported' },
        occurred_at: '2024-07-20T08:30:36.275Z',
        created_at: '2024-07-20T08:30:36.275Z',
        updated_at: '2024-07-21T08:30:36.275Z',
      }),
    ])
  })

  test('a ChatGPT file keeps the order of a conversation', async () => {
    const user = await newUser(server.current)
    const message = (id: string, role: string, text: string, time: number) => ({
      id,
      author: { role, name: null, metadata: {} },
      create_time: time,
      content: { content_type: 'text', parts: [text] },
      metadata: {},
      recipient: 'all',
    })
    const conversation = {
      title: 'Tea',
      create_time: 1704067200.25,
      conversation_id: 'c-1',
      current_node: 'n2',
      mapping: {
        n2: { parent: 'n1', message: message('n2', 'assistant', 'Sencha.', 1704067260) },
        n3: { parent: 'n1', message: message('n3', 'assistant', 'Not shown.', 1704067250) },
        n1: { parent: 'root', message: message('n1', 'user', 'Which tea?', 1704067200.5) },
        root: { parent: null, message: null },
      },
    }
    const file = JSON.stringify([conversation, { mapping: {} }])
    expect(await imported(user, file)).toEqual(report(2))
    expect(await imported(user, file)).toEqual(report(0, 2))
    expect(await contentsOf(user)).toEqual([
      ['Which tea?', 'chatgpt:c-1', 1, 'user', 'chatgpt'],
      ['Sencha.', 'chatgpt:c-1', 2, 'assistant', 'chatgpt'],
    ])
    const [first] = await exported(user)
    expect(first).toMatchObject({
      occurred_at: '2024-01-01T00:00:00.500Z',
      memory_type: 'episodic',
    })
  })

  test('a Claude file keeps the order of a conversation', async () => {
    const user = await newUser(server.current)
    const conversation = {
      uuid: 'c-1',
      name: 'Greeting',
      created_at: '2025-01-01T12:00:00.000000Z',
      chat_messages: [
        { uuid: 'm-0', sender: 'human', text: 'Hi\0', created_at: '2025-01-01T12:00:01.000000Z' },
        {
          uuid: 'm-1',
          sender: 'assistant',
          text: '',
          content: [{ type: 'text', text: 'Hello' }],
          created_at: '2025-01-01T12:00:02.000000Z',
        },
      ],
    }
    expect(await imported(user, JSON.stringify([conversation], null, 2))).toEqual(report(2))
    expect(await contentsOf(user)).toEqual([
      ['Hi', 'claude:c-1', 1, 'user', 'claude'],
      ['Hello', 'claude:c-1', 2, 'assistant', 'claude'],
    ])
  })
})
