import { expect, test } from 'bun:test'
import { afterCommit, poolOf } from '../../server/platform/db/connections.ts'
import type { Database, Query } from '../../server/platform/db/database.ts'
import { openPostgres } from '../../server/platform/db/postgres.ts'
import { createDatabase } from '../harness/database.ts'

type Begin = <T>(database: Database, work: (query: Query) => Promise<T>) => Promise<T>

const begins: Record<string, Begin> = {
  'of statements': (database, work) => database.transaction(work),
  'of drizzle’s': (database, work) => database.db.transaction((tx) => work(database.queryIn(tx))),
}

for (const [kind, begin] of Object.entries(begins))
  test(`two deadlocked transactions ${kind} both commit after a retry`, async () => {
    const { env, drop } = await createDatabase()
    const database = await openPostgres(env.SVC_DATABASE_URL)
    try {
      await database.script(
        'create table marks (id int primary key, n int); insert into marks values (1, 0), (2, 0)',
      )
      const bothHaveOne = Promise.withResolvers<void>()
      let waiting = 2
      const add = (first: number, second: number) => {
        let tries = 0
        return begin(database, async (query) => {
          const raise = (id: number) => query('update marks set n = n + 1 where id = $1', [id])
          await raise(first)
          if (++tries === 1 && --waiting === 0) bothHaveOne.resolve()
          await bothHaveOne.promise
          await raise(second)
          return tries
        })
      }
      const tries = await Promise.all([add(1, 2), add(2, 1)])
      expect(Math.max(...tries)).toBeGreaterThan(1)
      expect(await database.query('select n from marks', [])).toEqual([{ n: 2 }, { n: 2 }])
    } finally {
      await database.close()
      await drop()
    }
  })

test('an afterCommit callback, also of a savepoint, runs once after the commit, and not after a rollback', async () => {
  const { env, drop } = await createDatabase()
  const database = await openPostgres(env.SVC_DATABASE_URL)
  try {
    await database.script('create table notes (id int)')
    const done: string[] = []
    const taken = new Error('taken back')
    const takeBack = () => {
      throw taken
    }
    const write = (name: string, end: () => void) =>
      database.db.transaction(async (tx) => {
        afterCommit(tx, () => done.push(name))
        await database.queryIn(tx)('insert into notes values (1)', [])
        await tx.transaction(async (savepoint) => {
          expect(poolOf(savepoint)).toBe(database.db)
          afterCommit(savepoint, () => done.push(`${name} inside`))
        })
        const refused = tx.transaction(async (savepoint) => {
          afterCommit(savepoint, () => done.push(`${name} refused`))
          takeBack()
        })
        await expect(refused).rejects.toBe(taken)
        expect(done).not.toContain(name)
        end()
      })
    await expect(write('taken back', takeBack)).rejects.toBe(taken)
    expect(done).toEqual([])
    await write('kept', () => {})
    expect(done).toEqual(['kept', 'kept inside'])
  } finally {
    await database.close()
    await drop()
  }
})
