import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createTiers } from '../../server/billing/tiers.ts'
import { createUsageService, type Receipt } from '../../server/billing/usage/service.ts'
import { openEmbedded } from '../../server/platform/db/embedded.ts'
import { openPostgres } from '../../server/platform/db/postgres.ts'
import { createDatabase } from '../harness/database.ts'

const PRICE = 2_000

/** The service that counts, on a database without a server, whose months a test can shift. */
const openUsage = async () => {
  const { env, drop } = await createDatabase()
  const { SVC_DATABASE_URL: url, SVC_DATA_DIR: directory } = env
  const database = await (url ? openPostgres(url) : openEmbedded(directory))
  return {
    usage: createUsageService(database, { tiers: createTiers(), upgradeUrl: '' }),
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

/** Somebody new who pays as they go, with $0.10. */
const newPayer = async () => {
  const { usage, sql } = opened as NonNullable<typeof opened>
  const userId = crypto.randomUUID()
  const own = `where user_id = '${userId}'`
  await sql(`insert into users (id, email, username, tier)
    values ('${userId}', '${userId}@example.com', '${userId}', 'payg')`)
  await sql(`insert into billing_accounts (user_id, balance_micros) values ('${userId}', 100000)`)
  return {
    usage,
    take: (count = 1) => usage.take(userId, 'messages', { count }),
    /** As if all that was counted had been a month earlier. @returns the receipt of then. */
    async monthLater(receipt: Receipt): Promise<Receipt> {
      const [counted] = await sql<{ period: string }>(`update usage_counts
        set period = period - interval '1 month' ${own} returning period::text`)
      await sql(
        `update billing_accounts set spent_period = spent_period - interval '1 month' ${own}`,
      )
      return { ...receipt, period: counted?.period ?? '' }
    },
    /** What was used and paid for in each month, the earlier first, and what is left. */
    async standing() {
      const counts = await sql<{ used: number; paid: number }>(
        `select used::int, paid_micros::int as paid from usage_counts ${own} order by period`,
      )
      const { account } = await usage.standingOf(userId)
      return {
        months: counts.map(({ used, paid }) => [used, paid]),
        balance: account.balanceMicros,
        spent: account.spentMicros,
      }
    },
  }
}

test('what was taken in one month and failed in the next is given back to the first', async () => {
  const it = await newPayer()
  const failing = await it.take(3)
  await it.take()
  const receipt = await it.monthLater(failing)
  await it.take(2)
  expect(await it.standing()).toEqual({
    months: [
      [4, 4 * PRICE],
      [2, 2 * PRICE],
    ],
    balance: 100_000 - 6 * PRICE,
    spent: 2 * PRICE,
  })
  await it.usage.giveBack(receipt)
  expect(await it.standing()).toEqual({
    months: [
      [1, PRICE],
      [2, 2 * PRICE],
    ],
    balance: 100_000 - 3 * PRICE,
    spent: 2 * PRICE,
  })
})

test('before anything is spent in the new month, giving back leaves nothing below zero', async () => {
  const it = await newPayer()
  const receipt = await it.monthLater(await it.take())
  await it.usage.giveBack(receipt)
  expect(await it.standing()).toEqual({ months: [[0, 0]], balance: 100_000, spent: 0 })
  await it.take()
  expect((await it.standing()).spent).toBe(PRICE)
})

test('many that take and give back at once leave what was kept, to the micro-dollar', async () => {
  const it = await newPayer()
  await Promise.all(
    Array.from({ length: 30 }, async (_, i) => {
      const receipt = await it.take()
      if (i % 3) await it.usage.giveBack(receipt)
    }),
  )
  expect(await it.standing()).toEqual({
    months: [[10, 10 * PRICE]],
    balance: 100_000 - 10 * PRICE,
    spent: 10 * PRICE,
  })
})
