import { expect, test } from 'bun:test'
import { recall, rememberBatch } from '../../shared/contract/index.ts'
import { newUser, request, useServer } from '../harness/server.ts'

const server = useServer()

const LONE_SURROGATE = '"a\\ud800b"'
const NUL = '"a\\u0000b"'
const list = (count: number) => JSON.stringify(Array.from({ length: count }, () => 'x'))

/** [what it is, path, body as sent, status, the first error's place and type]. */
const refused: [string, string, string, number, unknown[]?, string?][] = [
  ['no content', '/api/remember', '{"content":""}', 422, ['body', 'content'], 'string_too_short'],
  [
    'content of 32,001 characters',
    '/api/remember',
    JSON.stringify({ content: 'a'.repeat(32_001) }),
    422,
    ['body', 'content'],
    'string_too_long',
  ],
  ['a NUL', '/api/remember', `{"content":${NUL}}`, 422, ['body', 'content'], 'string_unicode'],
  [
    'a lone surrogate',
    '/api/remember',
    `{"content":${LONE_SURROGATE}}`,
    422,
    ['body', 'content'],
    'string_unicode',
  ],
  [
    'a NUL in a tag',
    '/api/remember',
    `{"content":"a","tags":[${NUL}]}`,
    422,
    ['body', 'tags', 0],
    'string_unicode',
  ],
  [
    'a hundred thousand tags',
    '/api/remember',
    `{"content":"a","tags":${list(100_000)}}`,
    422,
    ['body', 'tags'],
    'too_long',
  ],
  ['a million tags', '/api/remember', `{"content":"a","tags":${list(1_000_000)}}`, 413],
  [
    'a day that does not exist',
    '/api/remember',
    '{"content":"a","occurred_at":"2023-02-30T10:00:00Z"}',
    422,
    ['body', 'occurred_at'],
    'datetime_parsing',
  ],
  [
    'a time after the year 9999 in UTC',
    '/api/remember',
    '{"content":"a","occurred_at":"9999-12-31T23:59:59-12:00"}',
    422,
    ['body', 'occurred_at'],
    'datetime_parsing',
  ],
  [
    'a time before the year 1 in UTC',
    '/api/remember',
    '{"content":"a","occurred_at":"0001-01-01T00:00:00+14:00"}',
    422,
    ['body', 'occurred_at'],
    'datetime_parsing',
  ],
  [
    'metadata of more than 65,536 characters',
    '/api/remember',
    JSON.stringify({ content: 'a', metadata: { text: 'x'.repeat(65_536) } }),
    422,
    ['body', 'metadata'],
    'too_long',
  ],
  [
    'metadata of more than 65,536 characters in a batch',
    '/api/remember/batch',
    JSON.stringify({
      memories: [{ content: 'a' }, { content: 'b', metadata: { text: 'x'.repeat(65_536) } }],
    }),
    422,
    ['body', 'memories', 1, 'metadata'],
    'too_long',
  ],
  [
    'the place before the first',
    '/api/remember',
    '{"content":"a","thread":"t","position":0}',
    422,
    ['body', 'position'],
    'greater_than_equal',
  ],
  ['an empty question', '/api/recall', '{"query":""}', 422, ['body', 'query'], 'string_too_short'],
  [
    'a lone surrogate in a question',
    '/api/recall',
    `{"query":${LONE_SURROGATE}}`,
    422,
    ['body', 'query'],
    'string_unicode',
  ],
  [
    'a time that does not exist',
    '/api/recall',
    '{"query":"a","since":"2023-01-01T25:00:00Z"}',
    422,
    ['body', 'since'],
    'datetime_parsing',
  ],
]

for (const [what, path, body, status, loc, type] of refused)
  test(`${what} is refused with ${status}`, async () => {
    const { key } = await newUser(server.current)
    const answer = await request(server.current, 'POST', path, { token: key, body })
    expect(answer.status).toBe(status)
    if (loc) expect(answer.body.detail[0]).toMatchObject({ loc, type })
  })

test('a recall with a question of 10,000 words succeeds', async () => {
  const { client } = await newUser(server.current)
  await client.call(rememberBatch, {
    body: { memories: [{ content: 'The needle is here.' }, { content: 'Nothing to see.' }] },
  })
  const query = `needle ${'ab cd ef gh '.repeat(2_500)}`.trim()
  expect(query.split(' ')).toHaveLength(10_001)
  const { memories } = await client.call(recall, { body: { query } })
  expect(memories.map((memory) => memory.content_text)).toEqual(['The needle is here.'])
})

test('the longest possible memory is found by a word at its beginning and by one at its end', async () => {
  const { client } = await newUser(server.current)
  const words = Array.from({ length: 4_200 }, (_, i) => `w${i.toString(36)}x`)
  const content = `${words.join(' ').slice(0, 31_980)} lastoneofall`
  await client.call(rememberBatch, {
    body: {
      memories: [{ content }, { content: 'ﷺ'.repeat(32_000) }, { content: '漢'.repeat(32_000) }],
    },
  })
  for (const query of ['w0x', 'lastoneofall'])
    expect((await client.call(recall, { body: { query } })).count).toBe(1)
})

test('a thread of 10,000 memories accepts more and is searched', async () => {
  const { client } = await newUser(server.current)
  const TURNS = 10_000
  const BATCH = 1_000
  for (let from = 1; from <= TURNS; from += BATCH)
    await client.call(rememberBatch, {
      body: {
        memories: Array.from({ length: BATCH }, (_, i) => ({
          content: `Turn ${from + i} says word${(from + i) % 977} and word${(from + i) % 1009}`,
          thread: 'endless',
          memory_type: 'episodic' as const,
        })),
      },
    })
  const { memories } = await client.call(recall, {
    body: { query: 'turn 9999', thread: 'endless', limit: 3 },
  })
  expect(memories[0]).toMatchObject({ position: 9_999, thread: 'endless' })
  const stopWords = await client.call(recall, { body: { query: 'what is the of and to' } })
  expect(stopWords.count).toBe(0)
  const common = await client.call(recall, { body: { query: 'turn says', limit: 100 } })
  expect(common.count).toBe(100)
})
