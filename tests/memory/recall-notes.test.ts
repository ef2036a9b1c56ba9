import { expect, test } from 'bun:test'
import type { Client } from '../../shared/client.ts'
import { deleteMemory, recall, remember, rememberBatch } from '../../shared/contract/index.ts'
import { newUser, useServer } from '../harness/server.ts'

const server = useServer()

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
