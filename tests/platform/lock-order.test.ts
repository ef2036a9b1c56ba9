import { afterAll, beforeAll, expect, test } from 'bun:test'
import { LOCK_ORDER } from '../../server/lock-order.ts'
import type { Database } from '../../server/platform/db/database.ts'
import { LockOrderError } from '../../server/platform/db/lock-order.ts'
import { lockClassExclusive } from '../../server/platform/db/locks.ts'
import { openPostgres } from '../../server/platform/db/postgres.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'

let fresh: TestDatabase
let database: Database
const violations: Error[] = []
beforeAll(async () => {
  fresh = await createDatabase()
  database = await openPostgres(fresh.env.SVC_DATABASE_URL, {
    order: LOCK_ORDER,
    onViolation: (error) => violations.push(error),
  })
}, 60_000)
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

const lockUsers = 'select from users where id = gen_random_uuid() for update'
const lockOrgs = 'select from orgs where id = gen_random_uuid() for update'

test('a transaction that follows the lock order commits', async () => {
  await database.transaction(async (query) => {
    await query(lockUsers, [])
    await query(lockOrgs, [])
    await query(lockUsers, [])
  })
  expect(violations).toEqual([])
})

test('a transaction that locks an organization before a user is rejected and reported', async () => {
  const done = database.transaction(async (query) => {
    await query(lockOrgs, [])
    await query(lockUsers, [])
  })
  expect(await done.catch((error) => error)).toBeInstanceOf(LockOrderError)
  expect(violations.splice(0).map(({ message }) => message)).toEqual([
    `A lock of users after one of orgs: ${lockUsers}`,
  ])
})

test('advisory locks and drizzle transactions are checked too', async () => {
  const done = database.db.transaction(async (tx) => {
    await database.queryIn(tx)(lockUsers, [])
    await lockClassExclusive(tx, 'admins')
  })
  expect(String(await done.catch((error) => error.cause ?? error))).toContain('of admins after')
  expect(violations.splice(0)).toHaveLength(1)
})

test('locks of separate transactions are not compared', async () => {
  await database.query(lockOrgs, [])
  await database.query(lockUsers, [])
  expect(violations).toEqual([])
})
