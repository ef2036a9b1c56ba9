import { expect, setDefaultTimeout, test } from 'bun:test'
import { eventually } from '../harness/eventually.ts'
import { runSql, startRestartable } from '../harness/http.ts'
import { newUser, request, type TestUser } from '../harness/server.ts'

setDefaultTimeout(120_000)

const BATCH = 400

test('the memory tables are analyzed when they have doubled, and not after a fixed number of writes', async () => {
  await using restartable = await startRestartable()
  const user = await newUser(restartable.current)
  let written = 0
  const writeBatch = async ({ key }: TestUser) => {
    const memories = Array.from({ length: BATCH }, () => ({ content: `The tally is ${written++}` }))
    const { status } = await request(restartable.current, 'POST', '/api/remember/batch', {
      token: key,
      body: { memories },
    })
    expect(status).toBe(201)
  }
  /** Waits for an analysis after `since`, and returns the number of analyses by svc. */
  const analysesAfter = async (since: unknown): Promise<number> => {
    const row = await eventually(async () => {
      const [row] = await runSql(
        restartable.database,
        `select analyze_count::int as count, last_analyze > '${since}' as is_done
        from pg_stat_user_tables where relname = 'memories'`,
      )
      return row?.is_done ? row : undefined
    })
    return Number(row.count)
  }
  const now = async () => {
    const [row] = await runSql(restartable.database, 'select clock_timestamp()::text as now')
    return row?.now
  }

  for (let i = 0; i < 4; i++) await writeBatch(user)
  await restartable.restart('analyze memories, memory_threads, memory_changes')
  const before = await analysesAfter('-infinity')
  for (let i = 0; i < 3; i++) await writeBatch(user)
  const start = await now()
  for (let i = 0; i < 4; i++) await writeBatch(user)
  expect(await analysesAfter(start)).toBe(before + 1)
})
