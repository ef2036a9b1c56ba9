import { expect, onTestFinished, test } from 'bun:test'
import type { Client } from '../../shared/client.ts'
import { recall, rememberBatch } from '../../shared/contract/index.ts'
import { createDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { runSql } from '../harness/http.ts'
import { newUser, startServer } from '../harness/server.ts'
import { chatTurns, type Note, notesOnPeople, preferences } from './mixed-store/generate.ts'

const TURNS = 1_000
const BATCH = 500

/** On a busy machine the encoder takes longer than a recall waits for it. */
const PATIENT = { recallBudgetMs: 30_000 }

/** Writes the notes evenly among the turns of chats. */
const fill = async (client: Client, stored: Note[]) => {
  const turns = chatTurns(TURNS)
  const perNote = turns.length / stored.length
  const memories = stored.flatMap(({ content }, i) => [
    ...turns.slice(i * perNote, (i + 1) * perNote),
    { content },
  ])
  for (let start = 0; start < memories.length; start += BATCH)
    await client.call(rememberBatch, {
      body: { memories: memories.slice(start, start + BATCH) },
    })
}

/** The share of the notes that are among the first results for their question. */
const shareFound = async (
  client: Client,
  stored: Note[],
  questionOf: (note: Note) => string,
  limit: number,
) => {
  let found = 0
  for (const note of stored) {
    const { memories } = await client.call(recall, { body: { query: questionOf(note) } })
    if (memories.slice(0, limit).some(({ content_text }) => content_text === note.content)) found++
  }
  return found / stored.length
}

test('single notes are found in a store that is mostly chats', async () => {
  const database = await createDatabase()
  onTestFinished(database.drop)
  const server = await startServer({ SVC_EMBEDDING: undefined }, database, PATIENT)
  const { client } = await newUser(server)
  const guiding = preferences()
  const stored = [...guiding, ...notesOnPeople()]
  await fill(client, stored)
  const waiting = "select from memory_tasks where engine = 'embedding' limit 1"
  await eventually(async () => (await runSql(database, waiting)).length === 0, {
    within: 500_000,
  })
  expect(await shareFound(client, stored, ({ direct }) => direct, 1)).toBeGreaterThanOrEqual(0.95)
  const indirectly = (among: Note[]) => shareFound(client, among, ({ indirect }) => indirect, 10)
  expect(await indirectly(stored)).toBeGreaterThanOrEqual(0.6)
  expect(await indirectly(guiding)).toBeGreaterThanOrEqual(0.4)
}, 600_000)
