import { expect, onTestFinished, test } from 'bun:test'
import fc from 'fast-check'
import type { Client } from '../../shared/client.ts'
import {
  deleteMemory,
  recall,
  rememberBatch,
  restoreMemory,
  updateMemory,
} from '../../shared/contract/index.ts'
import { createDatabase } from '../harness/database.ts'
import { runSql } from '../harness/http.ts'
import { newUser, request, startServer, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const newClient = async () => (await newUser(server.current)).client

const contentsFor = async (client: Client, query: string, more: object = {}) =>
  (await client.call(recall, { body: { query, ...more } })).memories.map((m) => m.content_text)

test.each([
  ['What does Erika drink?', 'Erika prefers tea to coffee.', 'I repaired the roof in June.'],
  ['Was trinkt Erika?', 'Erika mag Tee lieber als Kaffee.', 'Ich habe im Juni das Dach repariert.'],
  ['¿Qué bebe Erika?', 'Erika prefiere el té al café.', 'He reparado el tejado en junio.'],
  ['Que boit Erika ?', 'Erika préfère le thé au café.', 'J’ai réparé le toit en juin.'],
  ['Erika 喝什么？', 'Erika 比起咖啡更喜欢茶。', '我六月修好了屋顶。'],
])('a memory that names an author is found by the name: %s', async (question, fact, message) => {
  const client = await newClient()
  await client.call(rememberBatch, {
    body: { memories: [{ content: fact }, { content: message, author: 'Erika', thread: 'chat' }] },
  })
  expect(await contentsFor(client, question)).toContain(fact)
})

test('a question in the first person ranks the user’s messages above an assistant’s', async () => {
  const client = await newClient()
  const wordsOf = async (user: string, assistant: string, question: string) => {
    await client.call(rememberBatch, {
      body: {
        memories: [
          { content: user, author: 'user', thread: user },
          { content: assistant, author: 'assistant', thread: assistant },
        ],
      },
    })
    return (await contentsFor(client, question))[0]
  }
  const english = 'The budget for travel is 900 euros in total.'
  expect(
    await wordsOf(
      english,
      'A travel budget: keep the travel budget low.',
      'What is my budget for travel?',
    ),
  ).toBe(english)
  const german = 'Das Budget für Reisen liegt bei 900 Euro im Jahr.'
  expect(
    await wordsOf(
      german,
      'Reisebudget heißt Budget für Reisen, Budget!',
      'Wie hoch ist mein Budget für Reisen?',
    ),
  ).toBe(german)
})

/** Recalls from a message of the user and one of an assistant. */
const recallOfChat = async (question: string) => {
  const client = await newClient()
  await client.call(rememberBatch, {
    body: {
      memories: [
        {
          content: 'The costs of my travel keep growing, how do I keep a budget for each trip?',
          author: 'user',
          thread: 'one',
        },
        {
          content: 'A budget spreadsheet with a row for each trip keeps the costs of travel low.',
          author: 'assistant',
          thread: 'two',
        },
      ],
    },
  })
  return (await client.call(recall, { body: { query: question, explain: true } })).memories
}

test.each([
  ['How did you recommend I keep my travel costs low?', 'assistant', 'user'],
  ['What costs of travel did I ask about?', 'user', 'assistant'],
])(
  'a question prefers the side of a chat that it asks about: %s',
  async (question, asked, other) => {
    const memories = await recallOfChat(question)
    expect(memories.map((m) => [m.author, m.explanation?.author])).toEqual([
      [asked, 2],
      [other, 1],
    ])
  },
)

test.each([
  'Can you give me a summary of my travel budget?',
  'Gib mir bitte eine Zusammenfassung zu meinem travel budget.',
  'Hazme un resumen de mi travel budget.',
  'Fais-moi un résumé de mon travel budget.',
  '请总结我的 travel budget。',
])('a summary prefers no side of a chat: %s', async (question) => {
  const memories = await recallOfChat(question)
  expect(memories.map((m) => m.explanation?.author)).toEqual([1, 1])
})

test('a question of 32,000 characters is read to its end', async () => {
  const { client, key } = await newUser(server.current)
  const content = 'The lighthouse keeper sings.'
  await client.call(rememberBatch, { body: { memories: [{ content }] } })
  const filler = Array.from({ length: 4_500 }, (_, i) => `w${i}x`)
    .join(' ')
    .slice(0, 31_980)
  expect(await contentsFor(client, `${filler} lighthouse`)).toEqual([content])
  const tooLong = await request(server.current, 'POST', '/api/recall', {
    token: key,
    body: { query: 'a'.repeat(32_001) },
  })
  expect(tooLong.status).toBe(422)
})

const step = fc.record({
  kind: fc.constantFrom('remember', 'update', 'author', 'forget', 'restore', 'supersede'),
  at: fc.nat(),
  author: fc.constantFrom('Ann', 'Ben', null),
  content: fc.string({ minLength: 1, maxLength: 20 }).map((text) => `note ${text}`),
  asks: fc.boolean(),
})

test('author statistics match the live memories after any changes', async () => {
  const database = await createDatabase()
  onTestFinished(database.drop)
  const own = await startServer({}, database)
  const { client } = await newUser(own)
  const ids: string[] = []
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
      for (const { kind, at, author, content, asks } of steps) {
        const memory_id = ids[at % Math.max(ids.length, 1)] ?? ''
        const text = asks ? `${content}?` : content
        // Changes of a memory that is deleted or superseded meanwhile are refused.
        const attempt = async (work: Promise<unknown>) => work.catch(() => {})
        if (kind === 'remember' || kind === 'supersede' || !memory_id) {
          const supersedes = kind === 'supersede' && memory_id ? { supersedes: memory_id } : {}
          await attempt(
            client
              .call(rememberBatch, {
                body: { memories: [{ content: text, author, thread: 't', ...supersedes }] },
              })
              .then(({ memories }) => ids.push(...memories.map((m) => m.memory_id))),
          )
        } else if (kind === 'update')
          await attempt(
            client.call(updateMemory, { params: { memory_id }, body: { content: text } }),
          )
        else if (kind === 'author')
          await attempt(client.call(updateMemory, { params: { memory_id }, body: { author } }))
        else if (kind === 'forget')
          await attempt(client.call(deleteMemory, { params: { memory_id } }))
        else await attempt(client.call(restoreMemory, { params: { memory_id } }))
      }
    }),
    { numRuns: 8 },
  )
  // The changes may leave the memories of one author alone.
  const memories = ['Ann', 'Ben'].map((author) => ({ content: `last of ${author}`, author }))
  await client.call(rememberBatch, { body: { memories } })
  await own.stop()
  const counted = `select author, memory_count::int, byte_count::int, question_count::int, answer_count::int
    from memory_author_stats where memory_count > 0 order by author`
  const recounted = `select coalesce(author, '') as author, count(*)::int as memory_count,
      sum(octet_length(content_text))::int as byte_count,
      (count(*) filter (where ends_asking))::int as question_count,
      (count(*) filter (where follows_question))::int as answer_count
    from memories where deleted_at is null and superseded_by is null group by 1 order by 1`
  const rows = await runSql(database, recounted)
  expect(rows.length).toBeGreaterThan(1)
  expect(await runSql(database, counted)).toEqual(rows)
}, 120_000)
