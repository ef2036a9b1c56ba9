import { expect, onTestFinished, test } from 'bun:test'
import type { Client } from '../../shared/client.ts'
import {
  deleteMemory,
  recall,
  remember,
  rememberBatch,
  updateMemory,
} from '../../shared/contract/index.ts'
import { createDatabase } from '../harness/database.ts'
import { runSql } from '../harness/http.ts'
import { newUser, startServer, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const NOTE = 'The kumbo needs velno.'

/** Writes a thread with the note at a place. @returns the ids of the thread's memories. */
const writeThread = async (client: Client, thread: string, length: number, place: number) => {
  const { memories } = await client.call(rememberBatch, {
    body: {
      memories: Array.from({ length }, (_, i) => ({
        content: i === place ? NOTE : `Turn ${i} of ${thread}.`,
        thread,
      })),
    },
  })
  return memories.map(({ memory_id }) => memory_id)
}

/** The term scores of the note, by its thread. */
const wordsByThread = async (client: Client) => {
  const body = { query: 'kumbo velno', explain: true, limit: 50 }
  const { memories } = await client.call(recall, { body })
  return Object.fromEntries(
    memories
      .filter(({ content_text }) => content_text === NOTE)
      .map(({ thread, explanation }) => [thread ?? 'none', explanation?.words ?? 0]),
  )
}

test('a memory scores less for each neighbour that may raise its scores', async () => {
  const { client } = await newUser(server.current)
  await client.call(remember, { body: { content: NOTE } })
  await writeThread(client, 'middle', 9, 4)
  await writeThread(client, 'first', 9, 0)
  await writeThread(client, 'last', 2, 1)
  const around = await writeThread(client, 'deleted', 9, 4)
  for (const place of [2, 3, 5, 6])
    await client.call(deleteMemory, { params: { memory_id: around[place] ?? '' } })
  const replaced = await writeThread(client, 'superseded', 3, 1)
  for (const place of [0, 2])
    await client.call(remember, {
      body: { content: `Instead of ${place}.`, supersedes: replaced[place] ?? '' },
    })

  const { none = 0, ...threads } = await wordsByThread(client)
  expect(none).toBeGreaterThan(0)
  const shares = { middle: 0.4, first: 0.7, last: 0.76, deleted: 1, superseded: 1 }
  for (const [thread, share] of Object.entries(shares))
    expect([thread, (threads[thread] ?? 0) / none]).toEqual([thread, expect.closeTo(share, 9)])
})

test('a note is found among turns of chats with the same words', async () => {
  const { client } = await newUser(server.current)
  const chats = Array.from({ length: 20 }, (_, i) =>
    ['Kumbo and velno.', `The kumbo of shelf ${i} needs velno.`, 'Kumbo, velno, right.'].map(
      (content) => ({ content, thread: `chat ${i}`, author: 'Ana' }),
    ),
  ).flat()
  await client.call(rememberBatch, { body: { memories: chats } })
  await client.call(remember, { body: { content: NOTE } })
  const { memories } = await client.call(recall, { body: { query: 'Which kumbo needs velno?' } })
  expect(memories[0]?.content_text).toBe(NOTE)
})

const ADVICE = 'Could you suggest a dinner for Friday?'
const CHATS = [
  'Dinner on Friday was late.',
  'We suggest a dinner on Friday.',
  'A dinner suggestion for Friday follows.',
].map((content) => ({ content, thread: 'chat', author: 'user' }))

const explained = async (client: Client, query: string) => {
  const { memories } = await client.call(recall, { body: { query, explain: true } })
  return memories.map(({ content_text, explanation }) => ({
    content: content_text,
    preference: explanation?.preference,
  }))
}

test.each([
  'I can’t stand lobster.',
  'I am a vegetarian.',
  'User prefers noodles.',
  'Never serve mushrooms.',
  'From now on, add vegetables.',
])('a question for advice finds %s', async (content) => {
  const { client } = await newUser(server.current)
  await client.call(rememberBatch, { body: { memories: [...CHATS, { content }] } })
  expect(await explained(client, ADVICE)).toContainEqual({ content, preference: 1.5 })
  const { memories } = await client.call(recall, { body: { query: 'When was dinner late?' } })
  expect(memories[0]?.content_text).toBe('Dinner on Friday was late.')
})

test('a preference counts in the languages of facts where the question asks for advice', async () => {
  const pairs = [
    ['Ich esse kein Fleisch zum Abendessen.', 'Was soll ich zum Abendessen kochen?'],
    ['Prefiero la cena sin carne.', '¿Qué me recomiendas para la cena?'],
    ['Je ne mange pas de viande au dîner.', 'Que me conseilles-tu pour le dîner ?'],
    ['我不喜欢晚饭吃肉。', '请推荐一个晚饭。'],
    ['夕食は肉が苦手です。', '夕食のおすすめを教えてください。'],
  ] as const
  for (const [content, question] of pairs) {
    const { client } = await newUser(server.current)
    await client.call(remember, { body: { content } })
    expect(await explained(client, question)).toEqual([{ content, preference: 1.5 }])
  }
})

test('the words of an assistant or of an untrusted source are no instructions', async () => {
  const database = await createDatabase()
  onTestFinished(database.drop)
  const { client } = await newUser(await startServer({}, database))
  const instruction = 'Always serve lobster for dinner.'
  const preference = 'I prefer lobster for dinner.'
  await client.call(rememberBatch, {
    body: {
      memories: [
        { content: instruction, author: 'assistant', thread: 'chat' },
        { content: preference },
      ],
    },
  })
  await runSql(
    database,
    `update memories set trust = 'external' where content_text = '${preference}'`,
  )
  const found = await explained(client, ADVICE)
  expect(found.length).toBe(2)
  for (const { preference } of found) expect(preference).toBe(1)
})

test('a changed memory is a preference as its new text says', async () => {
  const { client } = await newUser(server.current)
  const { memory_id } = await client.call(remember, { body: { content: 'Dinner was at eight.' } })
  const change = async (content: string) => {
    await client.call(updateMemory, { params: { memory_id }, body: { content } })
    return (await explained(client, ADVICE))[0]?.preference
  }
  expect((await explained(client, ADVICE))[0]?.preference).toBe(1)
  expect(await change('I prefer dinner at eight.')).toBe(1.5)
  expect(await change('Dinner is at nine.')).toBe(1)
})
