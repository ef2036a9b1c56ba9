import { expect, test } from 'bun:test'
import type { TestDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { runSql, startRestartable } from '../harness/http.ts'
import type { TestUser } from '../harness/server.ts'
import { newUser, request, useServer } from '../harness/server.ts'
import { importFile, linesOf } from './transfer-support.ts'

const server = useServer()

const fileOf = (size: number): string =>
  linesOf(
    Array.from({ length: size }, (_, i) => ({
      memory_id: Bun.randomUUIDv7(),
      content_text: `The parcel with the number ${i} came at noon`,
    })),
  )

const importMany = async (target: { url: string }, user: TestUser, size: number) => {
  const { status, body } = await importFile(target, user, fileOf(size))
  expect([status, body.imported]).toEqual([200, size])
}

/** The sizes of the transactions that wrote a user's memories, the largest first. */
const batchSizes = async ({ id }: TestUser): Promise<number[]> => {
  const rows = await runSql(
    server.current.database,
    `select count(*)::int as size from memories where owner_id = '${id}'
    group by xmin::text order by size desc`,
  )
  return rows.map(({ size }) => Number(size))
}

const OTHERS = `select from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

/** The number of index entries of memories that were read. Connections report it when they close. */
const readByIndexes = async (database: TestDatabase): Promise<number> => {
  await eventually(async () => (await runSql(database, OTHERS)).length === 0)
  const [row] = await runSql(
    database,
    `select sum(idx_tup_read)::int as read from pg_stat_user_indexes where relname = 'memories'`,
  )
  return Number(row?.read)
}

test('an import of a user without planner statistics reads a bounded number of rows for each memory', async () => {
  const SIZE = 1_500
  await using restartable = await startRestartable()
  const { current, database } = restartable
  await importMany(current, await newUser(current), 2 * SIZE)
  await runSql(database, 'analyze memories')
  await importMany(current, await newUser(current), SIZE)
  await current.stop()
  const read = await readByIndexes(database)
  expect(read / SIZE).toBeLessThan(100)
})

test('an import writes small batches while other requests arrive', async () => {
  const reader = await newUser(server.current)
  const writer = await newUser(server.current)
  let isOver = false
  let answered = 0
  const started = Promise.withResolvers<void>()
  const readAgain = async () => {
    while (!isOver) {
      await request(server.current, 'GET', '/api/me', { token: reader.key })
      if (++answered === 50) started.resolve()
    }
  }
  const reading = Promise.all(Array.from({ length: 8 }, readAgain))
  await started.promise
  await importMany(server.current, writer, 600)
  isOver = true
  await reading
  expect((await batchSizes(writer))[0]).toBe(20)
})
