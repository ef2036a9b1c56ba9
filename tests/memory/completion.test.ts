import { expect, test } from 'bun:test'
import { openPostgres } from '../../server/platform/db/postgres.ts'
import { createClient } from '../../shared/client.ts'
import {
  deleteMemory,
  listMemories,
  recall,
  remember,
  rememberBatch,
  restoreMemory,
  updateMemory,
} from '../../shared/contract/index.ts'
import { createDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { spawnServer } from '../harness/process.ts'
import { newUser, startServer } from '../harness/server.ts'

const BATCHES = 6
const PER_BATCH = 100
const TOTAL = BATCHES * PER_BATCH
const LOCALHOST = { SVC_BASE_URL: 'http://svc.test' }

const memoryOf = (number: number) => ({
  content: number % 3 ? `Parcel XB-${number} came.` : `Did parcel XB-${number} come?`,
  author: number % 2 ? 'Ann' : 'Ben',
  thread: 'parcels',
})

/** The state of a version that stored no terms. */
const AS_BEFORE = [
  'update memories set follows_question = null, terms = null, terms_version = 0',
  'delete from backfills',
]

/** A database with memories of an earlier version, and a connection to observe it. */
const openOld = async () => {
  const database = await createDatabase()
  const before = await startServer(LOCALHOST, database)
  const { key, client } = await newUser(before)
  for (let batch = 0; batch < BATCHES; batch++)
    await client.call(rememberBatch, {
      body: {
        memories: Array.from({ length: PER_BATCH }, (_, i) => memoryOf(batch * PER_BATCH + i)),
      },
    })
  await before.stop()
  const observer = await openPostgres(database.env.SVC_DATABASE_URL ?? '')
  for (const statement of AS_BEFORE) await observer.query(statement, [])
  const completed = async () => {
    const [row] = await observer.query<{ completed: number }>(
      'select count(*)::int as completed from memories where follows_question is not null and terms_version > 0',
      [],
    )
    return row?.completed ?? 0
  }
  /** The memories with a term, as they are stored. */
  const withTerm = async (term: string) =>
    (
      await observer.query("select from memories where terms ~ ('(^|\\s)' || $1 || '(\\s|$)')", [
        term,
      ])
    ).length
  const isDone = async () =>
    (await observer.query('select from backfills where done_at is not null', [])).length === 2
  return {
    database,
    key,
    observer,
    completed,
    isDone,
    withTerm,
    async [Symbol.asyncDispose]() {
      await observer.close()
      await database.drop()
    },
  }
}

const clientOf = async ({ url }: { url: Promise<string> }, key: string) =>
  createClient({ baseUrl: await url, credential: key })

test('memories of an earlier version are found before and after they are analyzed, through changes and a kill -9', async () => {
  await using old = await openOld()
  const { key } = old
  let rounds = 0
  {
    await using first = spawnServer(old.database.env)
    const client = await clientOf(first, key)
    const { memories } = await client.call(listMemories, { query: { limit: 100 } })
    const found = await client.call(recall, { body: { query: 'parcels of Ann', limit: 1 } })
    expect(found.count).toBe(1)
    const byCode = await client.call(recall, { body: { query: 'XB-301' } })
    expect(byCode.memories[0]?.content_text).toBe('Parcel XB-301 came.')
    // Old memories change during the backfill.
    while ((await old.completed()) < TOTAL / 2) {
      const memory_id = memories[rounds++ % memories.length]?.memory_id ?? ''
      const params = { memory_id }
      await client.call(updateMemory, { params, body: { content: `Changed to QZ-${rounds}?` } })
      await client.call(deleteMemory, { params })
      if (rounds % 2) await client.call(restoreMemory, { params })
      await client.call(remember, { body: { content: `New, XN-${rounds}.`, author: 'Ann' } })
      if (rounds === memories.length) break
    }
    await eventually(async () => (await old.completed()) >= TOTAL / 2, { every: 10 })
    first.child.kill('SIGKILL')
    await first.child.exited
  }
  expect(await old.completed()).toBeLessThan(TOTAL + rounds)
  await using second = spawnServer(old.database.env)
  const client = await clientOf(second, key)
  await eventually(old.isDone)
  expect(await old.completed()).toBe(TOTAL + rounds)
  expect(await old.withTerm('=xb-301')).toBe(1)
  const { memories } = await client.call(recall, { body: { query: 'XB-301' } })
  expect(memories[0]?.content_text).toBe('Parcel XB-301 came.')
}, 120_000)

test('a memory that an earlier version writes after completion is completed at the next start', async () => {
  await using old = await openOld()
  const { observer, key } = old
  {
    await using first = spawnServer(old.database.env)
    await first.url
    await eventually(old.isDone)
  }
  await observer.query(
    `update memories set follows_question = null, terms = null, terms_version = 0
    where content_text like '%XB-30_ %'`,
    [],
  )
  const completed = await old.completed()
  expect(completed).toBeLessThan(TOTAL)
  await using second = spawnServer(old.database.env)
  const client = await clientOf(second, key)
  await eventually(async () => (await old.completed()) >= TOTAL)
  expect(await old.withTerm('=xb-307')).toBe(1)
  const { memories } = await client.call(recall, { body: { query: 'XB-307' } })
  expect(memories[0]?.content_text).toBe('Parcel XB-307 came.')
}, 120_000)
