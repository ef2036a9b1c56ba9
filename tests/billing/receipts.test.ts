import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openPostgres } from '../../server/platform/db/postgres.ts'
import { createUsageService, type UsageReceipt } from '../../server/usage/counts/service.ts'
import { createTierCatalog } from '../../server/usage/tiers.ts'
import { createDatabase } from '../harness/database.ts'

const PRICE = 2_000

/** The usage service on a database without a server, so that tests can shift its months. */
const openUsage = async () => {
  const { env, drop } = await createDatabase()
  const database = await openPostgres(env.SVC_DATABASE_URL)
  return {
    usage: createUsageService(database, { tiers: createTierCatalog(), upgradeUrl: '' }),
    sql: <T>(text: string) => database.query<T>(text, []),
    async [Symbol.asyncDispose]() {
      await database.close()
      await drop()
    },
  }
}

let opened: Awaited<ReturnType<typeof openUsage>> | undefined
beforeAll(async () => {
  opened = await openUsage()
}, 60_000)
afterAll(() => opened?.[Symbol.asyncDispose]())

/** A new user on payg with $0.10. */
const newPayer = async () => {
  const { usage, sql } = opened as NonNullable<typeof opened>
  const userId = crypto.randomUUID()
  const own = `where user_id = '${userId}'`
  await sql(`insert into users (id, email, username, tier)
    values ('${userId}', '${userId}@example.com', '${userId}', 'payg')`)
  await sql(`insert into billing_accounts (user_id, balance_micros) values ('${userId}', 100000)`)
  return {
    usage,
    consume: (count = 1) => usage.consume(userId, 'messages', { count }),
    /** Moves all usage to the previous month. @returns the receipt moved with it. */
    async monthLater(receipt: UsageReceipt): Promise<UsageReceipt> {
      const [counted] = await sql<{ period: string }>(`update usage_counts
        set period = period - interval '1 month' ${own} returning period::text`)
      await sql(
        `update billing_accounts set spent_period = spent_period - interval '1 month' ${own}`,
      )
      return { ...receipt, period: counted?.period ?? '' }
    },
    /** Used and paid by month, oldest first, and the balance. */
    async state() {
      const counts = await sql<{ used: number; paid: number }>(
        `select used::int, paid_micros::int as paid from usage_counts ${own} order by period`,
      )
      const { account } = await usage.state(userId)
      return {
        months: counts.map(({ used, paid }) => [used, paid]),
        balance: account.balanceMicros,
        spent: account.spentMicros,
      }
    },
  }
}

test('a refund goes to the month in which the usage was consumed', async () => {
  const it = await newPayer()
  const failing = await it.consume(3)
  await it.consume()
  const receipt = await it.monthLater(failing)
  await it.consume(2)
  expect(await it.state()).toEqual({
    months: [
      [4, 4 * PRICE],
      [2, 2 * PRICE],
    ],
    balance: 100_000 - 6 * PRICE,
    spent: 2 * PRICE,
  })
  await it.usage.refund(receipt)
  expect(await it.state()).toEqual({
    months: [
      [1, PRICE],
      [2, 2 * PRICE],
    ],
    balance: 100_000 - 3 * PRICE,
    spent: 2 * PRICE,
  })
})

test('a refund of last month leaves no negative values in a new month without usage', async () => {
  const it = await newPayer()
  const receipt = await it.monthLater(await it.consume())
  await it.usage.refund(receipt)
  expect(await it.state()).toEqual({ months: [[0, 0]], balance: 100_000, spent: 0 })
  await it.consume()
  expect((await it.state()).spent).toBe(PRICE)
})

test('concurrent consumption and refunds sum up exactly to the micro-dollar', async () => {
  const it = await newPayer()
  await Promise.all(
    Array.from({ length: 30 }, async (_, i) => {
      const receipt = await it.consume()
      if (i % 3) await it.usage.refund(receipt)
    }),
  )
  expect(await it.state()).toEqual({
    months: [[10, 10 * PRICE]],
    balance: 100_000 - 10 * PRICE,
    spent: 10 * PRICE,
  })
})
