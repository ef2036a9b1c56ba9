import { isoText } from '../../../platform/db/columns.ts'
import type { Db, Query } from '../../../platform/db/database.ts'
import { lockClassExclusive } from '../../../platform/db/locks.ts'

export const SIGNING_KEY_CHANNEL = 'signing_keys'

/** Times are milliseconds from now on the clock of the database, because those of servers differ. */
export interface StoredSigningKey {
  kid: string
  publicJwk: object
  sealedPrivateKey: string | null
  signsInMs: number
  signsForMs: number | null
  verifiesForMs: number | null
}

const msUntil = (instant: string) => `(extract(epoch from ${instant} - clock.now) * 1000)::float8`

/** One time for all rows, and not the start of a transaction, which may have waited for a lock since. */
const WITH_CLOCK = 'with clock as materialized (select clock_timestamp() as now)'

/** The keys that sign or will, and those whose tokens are valid, in the order in which they sign. */
const LIVE_KEYS = `
${WITH_CLOCK}
select kid, public_jwk as "publicJwk", sealed_private_key as "sealedPrivateKey",
  ${msUntil('signs_from')} as "signsInMs", ${msUntil('signs_until')} as "signsForMs",
  ${msUntil('verifies_until')} as "verifiesForMs"
from signing_keys, clock where verifies_until is null or verifies_until > clock.now
order by signs_from, published_at`

export const listLiveKeys = (query: Query): Promise<StoredSigningKey[]> =>
  query<StoredSigningKey>(LIVE_KEYS, [])

/** Milliseconds since the first key was published; 0 without keys. */
export const ageOfFirstKey = async (query: Query): Promise<number> => {
  const [row] = await query<{ ms: number | null }>(
    `${WITH_CLOCK} select -${msUntil('min(published_at)')} as ms from signing_keys, clock group by clock.now`,
    [],
  )
  return row?.ms ?? 0
}

export interface ListedKey {
  kid: string
  publishedAt: string
  signsFrom: string
  signsUntil: string | null
  verifiesUntil: string | null
  state: 'next' | 'signing' | 'verifying' | 'retired'
}

/** All keys, the newest first. */
export const listKeys = (query: Query): Promise<ListedKey[]> =>
  query<ListedKey>(
    `select kid, ${isoText('published_at')} as "publishedAt", ${isoText('signs_from')} as "signsFrom",
      ${isoText('signs_until')} as "signsUntil", ${isoText('verifies_until')} as "verifiesUntil",
      case when verifies_until <= now() then 'retired'
        when signs_until <= now() then 'verifying'
        when signs_from > now() then 'next'
        else 'signing' end as state
    from signing_keys order by published_at desc, signs_from desc`,
    [],
  )

/** Serializes the transactions that add a key, on all servers. */
export const lockSigningKeys = (tx: Db): Promise<void> => lockClassExclusive(tx, 'signing_keys')

/** Whether a key is published that does not sign yet. */
export const hasNextKey = async (query: Query): Promise<boolean> => {
  const [row] = await query<{ exists: boolean }>(
    `select exists (
      select from signing_keys where signs_from > clock_timestamp() and verifies_until is null
    ) as exists`,
    [],
  )
  return row?.exists === true
}

/** The time of the database, which has passed the start of a transaction that waited for a lock. */
export const clockOf = async (query: Query): Promise<string> => {
  const [row] = await query<{ now: string }>(
    `select date_trunc('milliseconds', clock_timestamp())::text as now`,
    [],
  )
  if (!row) throw new Error('the database has no clock')
  return row.now
}

/** Inserts a key that is published now, and signs `afterSeconds` later. */
export const insertKey = async (
  query: Query,
  {
    kid,
    publicJwk,
    sealedPrivateKey,
  }: Pick<StoredSigningKey, 'kid' | 'publicJwk'> & { sealedPrivateKey: string },
  { now, afterSeconds }: { now: string; afterSeconds: number },
): Promise<void> => {
  await query(
    `insert into signing_keys (kid, public_jwk, sealed_private_key, published_at, signs_from)
    values ($1, $2::text::jsonb, $3, $4::timestamptz, $4::timestamptz + make_interval(secs => $5::int))`,
    [kid, JSON.stringify(publicJwk), sealedPrivateKey, now, afterSeconds],
  )
}

/** Lets the newest key sign for some more seconds, and its tokens be valid for others after that. */
export const endNewestKey = async (
  query: Query,
  { now, afterSeconds, tokenSeconds }: { now: string; afterSeconds: number; tokenSeconds: number },
): Promise<void> => {
  await query(
    `update signing_keys set signs_until = $1::timestamptz + make_interval(secs => $2::int),
      verifies_until = $1::timestamptz + make_interval(secs => $2::int + $3::int)
    where verifies_until is null`,
    [now, afterSeconds, tokenSeconds],
  )
}

/** Ends keys and their tokens. @param kids default: all keys. */
export const endKeysNow = async (
  query: Query,
  { now, kids }: { now: string; kids?: string[] },
): Promise<void> => {
  await query(
    `update signing_keys set sealed_private_key = null, verifies_until = $1::timestamptz,
      signs_until = least(coalesce(signs_until, $1::timestamptz), $1::timestamptz)
    where (verifies_until is null or verifies_until > $1::timestamptz)
      and ($2::text is null or kid in (select jsonb_array_elements_text($2::jsonb)))`,
    [now, kids ? JSON.stringify(kids) : null],
  )
}

/** Reports a change to all servers, at the commit. */
export const notifyKeys = async (query: Query): Promise<void> => {
  await query(`select pg_notify($1, '')`, [SIGNING_KEY_CHANNEL])
}

/**
 * Erases the private keys that do not sign any more. The clock of a server that signs may be late by five
 * minutes. Deletes keys that ended 90 days ago, until when admins see them.
 */
export const eraseEndedKeys = async (query: Query): Promise<void> => {
  await query(
    `update signing_keys set sealed_private_key = null
    where sealed_private_key is not null and signs_until < now() - interval '5 minutes'`,
    [],
  )
  await query(`delete from signing_keys where verifies_until < now() - interval '90 days'`, [])
}
