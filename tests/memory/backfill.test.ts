import { expect, test } from 'bun:test'
import { openPostgres } from '../../server/platform/db/postgres.ts'
import { createClient } from '../../shared/client.ts'
import { recall, rememberBatch } from '../../shared/contract/index.ts'
import { createDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { spawnServer } from '../harness/process.ts'
import { newUser, startServer } from '../harness/server.ts'

const BATCHES = 15
const PER_BATCH = 100
const POLL_MS = 10

const contentOf = (number: number) => `Entry ${number}: the doctor prescribed new medicine`

test('a server killed during the completion of old memories continues where it stopped', async () => {
  const database = await createDatabase()
  await using _ = { [Symbol.asyncDispose]: database.drop }
  const before = await startServer({ SVC_BASE_URL: 'http://svc.test' }, database)
  const { key, client } = await newUser(before)
  for (let batch = 0; batch < BATCHES; batch++)
    await client.call(rememberBatch, {
      body: {
        memories: Array.from({ length: PER_BATCH }, (_, i) => ({
          content: contentOf(batch * PER_BATCH + i),
        })),
      },
    })
  await before.stop()
  const observer = await openPostgres(database.env.SVC_DATABASE_URL ?? '')
  await using __ = { [Symbol.asyncDispose]: observer.close }
  // The state that an earlier version left.
  await observer.query('delete from memory_vectors', [])
  await observer.query('delete from backfills', [])

  const progress = async () => {
    const [row] = await observer.query<{ vectors: number; place: string | null; done: boolean }>(
      `select (select count(*)::int from memory_vectors) as vectors,
        (select place from backfills where name like 'memory vectors%') as place,
        exists (select 1 from backfills where name like 'memory vectors%' and done_at is not null) as done`,
      [],
    )
    if (!row) throw new Error('one row')
    return row
  }
  {
    await using first = spawnServer(database.env)
    const remote = createClient({ baseUrl: await first.url, credential: key })
    const found = await remote.call(recall, { body: { query: 'Entry 7 medicine', limit: 1 } })
    expect(found.memories[0]?.content_text).toBe(contentOf(7))
    await eventually(async () => (await progress()).vectors > 0, { every: POLL_MS })
    first.child.kill('SIGKILL')
    await first.child.exited
  }
  const killed = await progress()
  expect(killed).toMatchObject({ done: false, place: expect.any(String) })
  expect(killed.vectors % PER_BATCH).toBe(0)
  expect(killed.vectors).toBeLessThan(BATCHES * PER_BATCH)
  // A vector deleted from the finished part is not written again.
  await observer.query(
    'delete from memory_vectors where seq = (select min(seq) from memory_vectors)',
    [],
  )

  await using second = spawnServer(database.env)
  const remote = createClient({ baseUrl: await second.url, credential: key })
  await eventually(async () => (await progress()).done)
  expect((await progress()).vectors).toBe(BATCHES * PER_BATCH - 1)
  const { memories } = await remote.call(recall, {
    body: { query: 'What did my physician prescribe?', explain: true },
  })
  expect(memories[0]?.explanation?.semantic).toBeGreaterThan(0)
})
