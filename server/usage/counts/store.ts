import { and, eq, sql } from 'drizzle-orm'
import type { Metric, TierName } from '../../../shared/tiers.ts'
import { users } from '../../account/users/table.ts'
import type { Db } from '../../platform/db/database.ts'
import { sharedLockCondition } from '../../platform/db/locks.ts'
import { rowsOf } from '../../platform/db/rows.ts'
import { type BillingAccountRow, billingAccounts } from '../accounts/table.ts'
import { usageCounts } from './table.ts'

/** The first day of the month by the clock of the database, which all replicas share. */
const period = sql`(date_trunc('month', now() at time zone 'utc'))::date`
const spentThisMonth = sql`case when spent_period = ${period} then spent_micros else 0 end`

interface UsageRequest {
  userId: string
  metric: Metric
  count: number
  /** The month's quota by tier. */
  quotas: Record<string, number | null>
  /** The price on payg. */
  costMicros: number
}

/** Consumed usage, in the form in which it is refunded. It can be stored as JSON. */
export interface UsageReceipt {
  userId: string
  metric: Metric
  count: number
  /** The month's first day. */
  period: string
  paidMicros: number
}

/**
 * Counts usage within the quota of the user's tier, or on payg within their credits and spend cap. One
 * statement checks and counts: PostgreSQL evaluates its conditions again on rows that a concurrent
 * transaction changed, so that concurrent requests cannot exceed a limit.
 * @returns undefined if it was not counted.
 */
export const consumeUsage = async (
  db: Db,
  { userId, metric, count, quotas, costMicros }: UsageRequest,
): Promise<UsageReceipt | undefined> => {
  const isFree = sql.raw(costMicros === 0 ? 'true' : 'false')
  const result = await db.execute(sql`
    with billed_user as materialized (
      select tier, (${JSON.stringify(quotas)}::jsonb ->> tier)::bigint as quota
      from users where id = ${userId}::uuid and ${sql.raw(sharedLockCondition('id'))} for key share
    ), paid as (
      update billing_accounts set
        balance_micros = balance_micros - ${costMicros}::bigint,
        spent_micros = ${spentThisMonth} + ${costMicros}::bigint,
        spent_period = ${period}
      where user_id = ${userId}::uuid
        and (select tier from billed_user) = 'payg'
        and balance_micros >= ${costMicros}::bigint
        and (cap_micros is null or ${spentThisMonth} + ${costMicros}::bigint <= cap_micros)
      returning user_id
    ), counted as (
      insert into usage_counts as existing (user_id, period, metric, used, paid_micros)
      select ${userId}::uuid, ${period}, ${metric}, ${count}::bigint,
        case when tier = 'payg' then ${costMicros}::bigint else 0 end
      from billed_user
      where case
        when tier = 'payg' then ${isFree} or exists (select from paid)
        else quota is null or ${count}::bigint <= quota
      end
      on conflict (user_id, period, metric) do update set
        used = existing.used + excluded.used,
        paid_micros = existing.paid_micros + excluded.paid_micros
      where (select quota from billed_user) is null
        or existing.used + excluded.used <= (select quota from billed_user)
      returning period
    )
    select tier, period::text from billed_user, counted`)
  const [row] = rowsOf<{ tier: TierName; period: string }>(result)
  if (!row) return undefined
  const { tier, period: countedPeriod } = row
  const paidMicros = tier === 'payg' ? costMicros : 0
  return { userId, metric, count, period: countedPeriod, paidMicros }
}

/**
 * Refunds usage and the credits paid for it, to the month of the receipt. It locks the account before
 * the count, as `consumeUsage` does, so that the two do not deadlock.
 */
export const refundUsage = async (
  tx: Db,
  { userId, metric, count, period: countedPeriod, paidMicros }: UsageReceipt,
): Promise<void> => {
  if (paidMicros > 0)
    await tx
      .update(billingAccounts)
      .set({
        balanceMicros: sql`${billingAccounts.balanceMicros} + ${paidMicros}::bigint`,
        // The spend cap counts this month only.
        spentMicros: sql`${billingAccounts.spentMicros} - case
          when ${billingAccounts.spentPeriod} = ${countedPeriod}::date then ${paidMicros}::bigint else 0 end`,
      })
      .where(eq(billingAccounts.userId, userId))
  await tx
    .update(usageCounts)
    .set({
      used: sql`${usageCounts.used} - ${count}::bigint`,
      paidMicros: sql`${usageCounts.paidMicros} - ${paidMicros}::bigint`,
    })
    .where(
      and(
        eq(usageCounts.userId, userId),
        eq(usageCounts.period, countedPeriod),
        eq(usageCounts.metric, metric),
      ),
    )
}

export interface UsageMonth {
  /** The month's first day. */
  start: string
  used: Partial<Record<Metric, number>>
  paidMicros: number
}

/** The usage of this month and those before it, oldest first. */
export const listUsageMonths = async (
  db: Db,
  userId: string,
  months: number,
): Promise<UsageMonth[]> =>
  rowsOf<UsageMonth>(
    await db.execute(sql`
    select month::date::text as start,
      coalesce(json_object_agg(metric, used) filter (where metric is not null), '{}') as used,
      coalesce(sum(paid_micros), 0)::float8 as "paidMicros"
    from generate_series(
      ${period} - make_interval(months => ${months - 1}::int), ${period}, interval '1 month'
    ) as month
    left join ${usageCounts} on user_id = ${userId}::uuid and period = month::date
    group by month order by month`),
  )

export interface UsageState {
  tier: TierName
  used: Partial<Record<Metric, number>>
  /** The first day of this month and of the next. */
  start: string
  end: string
  account: Pick<BillingAccountRow, 'balanceMicros' | 'capMicros'> & { spentMicros: number }
}

/** The user's usage and credits of this month. */
export const findUsageState = async (db: Db, userId: string): Promise<UsageState | undefined> => {
  const [row] = await db
    .select({
      tier: users.tier,
      used: sql<UsageState['used'] | null>`(
        select json_object_agg(metric, used) from usage_counts
        where user_id = ${users.id} and period = ${period})`,
      start: sql<string>`${period}::text`,
      end: sql<string>`(${period} + interval '1 month')::date::text`,
      balanceMicros: billingAccounts.balanceMicros,
      capMicros: billingAccounts.capMicros,
      spentMicros: sql<number>`(${spentThisMonth})::float8`,
    })
    .from(users)
    .leftJoin(billingAccounts, eq(billingAccounts.userId, users.id))
    .where(eq(users.id, userId))
  if (!row) return undefined
  const { tier, used, start, end, balanceMicros, capMicros, spentMicros } = row
  const account = { balanceMicros: balanceMicros ?? 0, capMicros, spentMicros }
  return { tier, used: used ?? {}, start, end, account }
}
