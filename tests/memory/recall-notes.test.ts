import { expect, onTestFinished, test } from 'bun:test'
import type { Client } from '../../shared/client.ts'
import { deleteMemory, recall, remember, rememberBatch } from '../../shared/contract/index.ts'
import { createDatabase } from '../harness/database.ts'
import { runSql } from '../harness/http.ts'
import { newUser, startServer, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const NOTE = 'The kumbo needs velno'

/** Writes a thread with the note at a place. @returns the ids of the thread's memories. */
const writeThread = async (client: Client, thread: string, length: number, place: number) => {
  const { memories } = await client.call(rememberBatch, {
    body: {
      memories: Array.from({ length }, (_, i) => ({
        content: i === place ? `${NOTE} in ${thread}.` : `Turn ${i} of ${thread}.`,
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
      .filter(({ content_text }) => content_text.startsWith(NOTE))
      .map(({ thread, explanation }) => [thread ?? 'none', explanation?.words ?? 0]),
  )
}

test('a memory scores less for each neighbour that may raise its scores', async () => {
  const { client } = await newUser(server.current)
  await client.call(remember, { body: { content: `${NOTE} in none.` } })
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
  const shares = { middle: 0.7, first: 0.85, last: 0.88, deleted: 1, superseded: 1 }
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

test('a preference does not displace the answer', async () => {
  const { client } = await newUser(server.current)
  const contents = [
    'I like my tea strong.',
    'The boiler is bled with the square key in the drawer.',
  ]
  await client.call(rememberBatch, { body: { memories: contents.map((content) => ({ content })) } })
  const body = { query: 'How do I bleed the boiler?' }
  const { memories } = await client.call(recall, { body })
  expect(memories[0]?.content_text).toBe(contents[1])
})

test.each([
  [
    'We use Jenkins for CI.',
    'We switched CI from Jenkins to GitHub Actions.',
    'What do we use for CI?',
  ],
  ['The standup is at 9:30.', 'The standup moved to 10:00.', 'When is the standup?'],
  [
    'The office plants are watered by Jo.',
    'Now Kim waters the office plants.',
    'Who waters the office plants?',
  ],
  [
    'Das Büro hat den Code 4711.',
    'Das Büro hat jetzt den Code 8822.',
    'Welchen Code hat das Büro?',
  ],
  ['La réunion est le lundi.', 'La réunion est désormais le mardi.', 'Quand est la réunion ?'],
])('%s stands below the later change of it', async (old, change, query) => {
  const { client } = await newUser(server.current)
  const noise = Array.from({ length: 12 }, (_, i) => ({
    content: `Shelf ${i} holds boxes of paper.`,
  }))
  const memories = [
    ...noise,
    { content: old, occurred_at: '2026-01-10' },
    { content: change, occurred_at: '2026-06-10' },
  ]
  await client.call(rememberBatch, { body: { memories } })
  const ask = async (question: string) => {
    const found = await client.call(recall, { body: { query: question, explain: true } })
    return found.memories.map(({ content_text }) => content_text)
  }
  const found = await ask(query)
  expect(found.slice(0, 2)).toEqual([change, old])
})

test('a question for what was before keeps the earlier statement first', async () => {
  const { client } = await newUser(server.current)
  const memories = [
    { content: 'We use Jenkins for CI.', occurred_at: '2026-01-10' },
    { content: 'We switched CI from Jenkins to GitHub Actions.', occurred_at: '2026-06-10' },
  ]
  await client.call(rememberBatch, { body: { memories } })
  const body = { query: 'Which CI did we use before?', explain: true }
  const { memories: found } = await client.call(recall, { body })
  expect(found.every(({ explanation }) => explanation?.change === 1)).toBe(true)
})

test('a question that was captured in many sessions does not hide its answer', async () => {
  const { client } = await newUser(server.current)
  const query = 'Where is the spare key?'
  const asked = Array.from({ length: 12 }, (_, i) => ({ content: query, thread: `session ${i}` }))
  const answer = 'The spare key is under the blue pot.'
  await client.call(rememberBatch, { body: { memories: [{ content: answer }, ...asked] } })
  const { memories } = await client.call(recall, { body: { query } })
  expect(memories.map(({ content_text }) => content_text)).toEqual([answer, query])
})

test('a later statement from outside displaces no statement of the user, nor the same text', async () => {
  const database = await createDatabase()
  onTestFinished(database.drop)
  const { client } = await newUser(await startServer({}, database))
  const own = 'We deploy the shop to Helsinki.'
  const foreign = 'We now deploy the shop to Reykjavik.'
  await client.call(rememberBatch, {
    body: {
      memories: [
        { content: own, occurred_at: '2026-01-10' },
        { content: foreign, occurred_at: '2026-06-10' },
        { content: own, occurred_at: '2026-06-11', thread: 'page' },
      ],
    },
  })
  await runSql(database, "update memories set trust = 'external' where occurred_at > '2026-06-01'")
  const body = { query: 'Where do we deploy the shop to Helsinki?' }
  const { memories } = await client.call(recall, { body })
  expect(memories.map(({ content_text, source }) => [content_text, source.trust])).toEqual([
    [own, 'user'],
    [foreign, 'external'],
  ])
})
