import { and, eq, sql } from 'drizzle-orm'
import type { Metric, TierName } from '../../../shared/schemas/billing.ts'
import { users } from '../../account/users/table.ts'
import type { Db } from '../../platform/db/database.ts'
import { sharesTurn } from '../../platform/db/turns.ts'
import { type BillingAccountRow, billingAccounts } from '../accounts/table.ts'
import { usageCounts } from './table.ts'

/** The first day of the month, by the database's clock: servers may have several. */
const period = sql`(date_trunc('month', now() at time zone 'utc'))::date`
const spentThisMonth = sql`case when spent_period = ${period} then spent_micros else 0 end`

export interface Use {
  userId: string
  metric: Metric
  count: number
  /** The month's limit by tier. */
  limits: Record<string, number | null>
  /** What it costs whoever pays as they go. */
  costMicros: number
}

/** What a use really took: of which month's count, and how many credits. It can be kept as JSON. */
export interface Receipt {
  userId: string
  metric: Metric
  count: number
  /** The month's first day. */
  period: string
  paidMicros: number
}

/**
 * Counts a use, if the person's tier allows it: below its limit, or paid for with credits, within the
 * cap. It is one statement whose conditions are checked again on rows that others have just changed,
 * so nothing done at the same time gets past.
 * @returns what it took; undefined when it was not counted.
 */
export const countUse = async (
  db: Db,
  { userId, metric, count, limits, costMicros }: Use,
): Promise<Receipt | undefined> => {
  const isFree = sql.raw(costMicros === 0 ? 'true' : 'false')
  const result = await db.execute(sql`
    with person as materialized (
      select tier, (${JSON.stringify(limits)}::jsonb ->> tier)::bigint as quota
      from users where id = ${userId}::uuid and ${sql.raw(sharesTurn('id'))} for key share
    ), paid as (
      update billing_accounts set
        balance_micros = balance_micros - ${costMicros}::bigint,
        spent_micros = ${spentThisMonth} + ${costMicros}::bigint,
        spent_period = ${period}
      where user_id = ${userId}::uuid
        and (select tier from person) = 'payg'
        and balance_micros >= ${costMicros}::bigint
        and (cap_micros is null or ${spentThisMonth} + ${costMicros}::bigint <= cap_micros)
      returning user_id
    ), counted as (
      insert into usage_counts as known (user_id, period, metric, used, paid_micros)
      select ${userId}::uuid, ${period}, ${metric}, ${count}::bigint,
        case when tier = 'payg' then ${costMicros}::bigint else 0 end
      from person
      where case
        when tier = 'payg' then ${isFree} or exists (select from paid)
        else quota is null or ${count}::bigint <= quota
      end
      on conflict (user_id, period, metric) do update set
        used = known.used + excluded.used,
        paid_micros = known.paid_micros + excluded.paid_micros
      where (select quota from person) is null
        or known.used + excluded.used <= (select quota from person)
      returning period
    )
    select tier, period::text from person, counted`)
  const [row] = rowsOf<{ tier: TierName; period: string }>(result)
  if (!row) return undefined
  const { tier, period: counted } = row
  return { userId, metric, count, period: counted, paidMicros: tier === 'payg' ? costMicros : 0 }
}

/** Both databases answer with rows, each in a wrapper of its own. */
const rowsOf = <T>(result: unknown): T[] =>
  Array.isArray(result) ? result : (result as { rows: T[] }).rows

/**
 * Takes a use back, with what was paid for it, whatever month or tier it is by now. Locks are taken in
 * the order in which `countUse` takes them, so that neither waits for the other.
 */
export const uncountUse = async (
  tx: Db,
  { userId, metric, count, period: counted, paidMicros }: Receipt,
): Promise<void> => {
  if (paidMicros > 0)
    await tx
      .update(billingAccounts)
      .set({
        balanceMicros: sql`${billingAccounts.balanceMicros} + ${paidMicros}::bigint`,
        // What was spent in another month counts for no cap any more.
        spentMicros: sql`${billingAccounts.spentMicros} - case
          when ${billingAccounts.spentPeriod} = ${counted}::date then ${paidMicros}::bigint else 0 end`,
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
        eq(usageCounts.period, counted),
        eq(usageCounts.metric, metric),
      ),
    )
}

export interface Standing {
  tier: TierName
  used: Partial<Record<Metric, number>>
  /** The month's first day and the next one's. */
  start: string
  end: string
  account: Pick<BillingAccountRow, 'balanceMicros' | 'capMicros'> & { spentMicros: number }
}

/** What a person has used this month, and what they have to spend. */
export const findStanding = async (db: Db, userId: string): Promise<Standing | undefined> => {
  const [row] = await db
    .select({
      tier: users.tier,
      used: sql<Standing['used'] | null>`(
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
