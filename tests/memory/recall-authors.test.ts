import { expect, test } from 'bun:test'
import type { Client } from '../../shared/client.ts'
import { recall, rememberBatch } from '../../shared/contract/index.ts'
import { newUser, request, useSharedServer } from '../harness/server.ts'

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
