import { describe, expect, test } from 'bun:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { rememberBatch } from '../../shared/contract/index.ts'
import { newUser, useSharedServer } from '../harness/server.ts'
import { connectHttp, textOf, ways } from './client.ts'

const server = useSharedServer()

const FILLER = 'The committee met again and discussed the budget of the next season at length. '
/** A memory of 30,000 characters with one sentence in its middle. */
const longText = (sentence: string, filler = FILLER) => {
  const half = filler.repeat(Math.ceil(15_000 / filler.length)).slice(0, 15_000)
  return `${half.trim()} ${sentence} ${half.trim()}`.toWellFormed()
}

interface Page {
  memories: { memory_id: string; content_text: string; truncated?: boolean }[]
  count: number
  next_cursor?: string
}
const pageOf = (result: object) => (result as { structuredContent: Page }).structuredContent

const withMemories = async (contents: string[]) => {
  const user = await newUser(server.current)
  const memories = contents.map((content) => ({ content }))
  await user.client.call(rememberBatch, { body: { memories } })
  return user
}

describe.each(ways)('over %s', (_, connect) => {
  test('a recall of twelve long memories has about 4,000 tokens, around the match', async () => {
    const places = Array.from({ length: 12 }, (_, i) => `The heron number ${i} nests by the mill.`)
    const { key } = await withMemories(places.map((place) => longText(place)))
    await using mcp = await connect(server.current, key)
    const result = await mcp.call('recall', { query: 'Where do herons nest?', limit: 12 })
    expect(countTokens(textOf(result))).toBeLessThan(4_500)
    expect(countTokens(JSON.stringify(result.structuredContent))).toBeLessThan(5_500)
    const { memories, count } = pageOf(result)
    expect([memories.length, count]).toEqual([12, 12])
    for (const { memory_id, content_text, truncated } of memories) {
      expect(truncated).toBe(true)
      expect(content_text).toMatch(/^….*The heron number \d+ nests by the mill\..*…$/)
      expect(textOf(result)).toContain(memory_id)
      expect(textOf(result)).toContain(content_text)
    }
    expect(textOf(result)).toContain('call get with the id')
  })
})

test('max_chars widens a recall, and get returns a whole memory', async () => {
  const content = longText('The heron nests by the mill.')
  const { key } = await withMemories([content])
  await using mcp = await connectHttp(server.current, key)
  const query = 'Where does the heron nest?'
  const lengthOf = async (input: object) =>
    textOf(await mcp.call('recall', { query, ...input })).length
  expect(await lengthOf({ max_chars: 500 })).toBeWithin(350, 501)
  expect(await lengthOf({ max_chars: 20_000 })).toBeWithin(19_000, 20_001)
  const whole = await mcp.call('recall', { query, max_chars: 40_000 })
  expect(pageOf(whole).memories).toMatchObject([{ content_text: content }])
  expect(textOf(whole)).toEndWith(content)
  const [memory] = pageOf(whole).memories
  const got = await mcp.call('get', { memory_id: memory?.memory_id })
  expect(textOf(got)).toEndWith(content)
  for (const max_chars of [0, 499, 100_001, 1.5, '499', {}]) {
    const refused = await mcp.call('recall', { query, max_chars })
    expect([refused.isError, textOf(refused)]).toEqual([
      true,
      'Invalid arguments: max_chars: must be an integer from 500 to 100000. Correct them and call again.',
    ])
  }
})

test('an answer never has more than max_chars characters', async () => {
  const { key, client } = await newUser(server.current)
  const lines = 'heron\n'.repeat(3_000)
  const labels = {
    thread: '"\\'.repeat(200),
    author: 'Ada '.repeat(50).trim(),
    tags: Array.from({ length: 30 }, (_, i) => `${i} `.padEnd(80, 'x')),
  }
  const memories = [
    { content: longText('The heron nests by the mill.'), ...labels },
    { content: lines, ...labels },
    { content: `🪿 heron ${'🪿'.repeat(9_000)}` },
    { content: `${lines} again`, author: 'Bob' },
    ...Array.from({ length: 60 }, (_, i) => ({ content: `Heron number ${i}.` })),
  ]
  await client.call(rememberBatch, { body: { memories } })
  await using mcp = await connectHttp(server.current, key)
  for (const max_chars of [500, 501, 640, 1_000, 5_000, 100_000])
    for (const [name, input] of [
      ['recall', { query: 'heron', limit: 50 }],
      ['recall', { query: 'heron', limit: 1 }],
      ['list', { limit: 50 }],
      ['list', { thread: labels.thread }],
    ] as const) {
      const text = textOf(await mcp.call(name, { ...input, max_chars }))
      expect([name, max_chars, [...text].length <= max_chars]).toEqual([name, max_chars, true])
      expect(text).toMatch(/^1\. \S{36} \(/)
    }
})

test('a cursor returns every further memory of a recall once', async () => {
  const { key } = await withMemories(Array.from({ length: 25 }, (_, i) => `Heron number ${i}.`))
  await using mcp = await connectHttp(server.current, key)
  const seen: string[] = []
  let cursor: string | undefined
  let pages = 0
  do {
    const page = await mcp.call('recall', { query: 'heron', ...(cursor && { cursor }) })
    seen.push(...pageOf(page).memories.map(({ content_text }) => content_text))
    cursor = pageOf(page).next_cursor
    if (cursor) expect(textOf(page)).toContain(`call again with cursor "${cursor}"`)
    pages++
  } while (cursor)
  expect([pages, seen.length, new Set(seen).size]).toEqual([3, 25, 25])
  for (const invalid of ['0', '-1', '100', 'x', ' '])
    expect(textOf(await mcp.call('recall', { query: 'heron', cursor: invalid }))).toContain(
      'cursor: ',
    )
})

test.each([
  ['recall', { query: 'committee budget' }],
  ['list', {}],
])(
  'a %s of 100 memories stops at the budget, and the rest follows by cursor',
  async (name, input) => {
    const contents = Array.from(
      { length: 100 },
      (_, i) => `Heron number ${i}. ${FILLER.repeat(25)}`,
    )
    const { key } = await withMemories(contents)
    await using mcp = await connectHttp(server.current, key)
    const seen = new Set<string>()
    let cursor: string | undefined
    let pages = 0
    do {
      const page = await mcp.call(name, { ...input, limit: 100, ...(cursor && { cursor }) })
      expect(countTokens(textOf(page))).toBeLessThan(4_800)
      for (const { memory_id } of pageOf(page).memories) seen.add(memory_id)
      cursor = pageOf(page).next_cursor
      pages++
    } while (cursor)
    expect(pages).toBeGreaterThan(1)
    expect(seen.size).toBe(100)
  },
)

test('an excerpt is never cut inside a code point', async () => {
  const { key } = await withMemories([
    longText('The harbour is full.', '🚢'),
    longText('The harbour is empty.', 'x🧑‍🚀'),
    longText('港は静かです。harbour', '東京の天気は晴れです。'),
  ])
  await using mcp = await connectHttp(server.current, key)
  for (const max_chars of [undefined, 500, 501, 502, 503, 2_000]) {
    const result = await mcp.call('recall', { query: 'harbour', max_chars })
    expect(textOf(result).isWellFormed()).toBe(true)
    expect(textOf(result)).toContain('harbour')
    for (const { content_text } of pageOf(result).memories)
      expect(content_text.isWellFormed()).toBe(true)
    if (max_chars === undefined) expect(countTokens(textOf(result))).toBeLessThan(4_800)
  }
})

test('the memories of a talk and of a long list are bounded too', async () => {
  const contents = Array.from({ length: 20 }, (_, i) => longText(`The heron number ${i} is grey.`))
  const { key } = await withMemories(contents)
  await using mcp = await connectHttp(server.current, key)
  const listed = await mcp.call('list', {})
  expect(countTokens(textOf(listed))).toBeLessThan(4_500)
  expect(pageOf(listed).memories).toHaveLength(20)
  const talked = await mcp.call('talk', { message: 'Which heron is grey?' })
  expect(countTokens(textOf(talked))).toBeLessThan(3_000)
  const remembered = await mcp.call('remember', { content: longText('A last one.') })
  expect(countTokens(textOf(remembered))).toBeLessThan(200)
})
