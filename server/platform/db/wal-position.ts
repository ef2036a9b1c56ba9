import type postgres from 'postgres'
import type { Query } from './database.ts'

/** A position in the write-ahead log. */
export interface WalPosition {
  /** Bytes since the beginning of the log. */
  bytes: number
  /** Changes with each failover. */
  timeline: number
}

/** Identifies a database and all of its replicas. */
export interface Origin extends WalPosition {
  system: string
}

/** Commits that do not wait for the disk are acknowledged before the log is flushed. */
const OF_PRIMARY = `
select (l.lsn - '0/0'::pg_lsn)::float8 as bytes,
  ('x' || left(pg_walfile_name(l.lsn), 8))::bit(32)::int as timeline,
  (select system_identifier::text from pg_control_system()) as system
from (
  select case when current_setting('synchronous_commit') = 'off'
    then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end as lsn
) l`

const REPLAYED = `case when pg_is_in_recovery()
  then (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::float8 end as bytes`

/** The timeline is that of the last checkpoint, so a replica is used again some minutes after a failover. */
const OF_REPLICA = `
select ${REPLAYED}, pg_backend_pid() as pid,
  (select timeline_id from pg_control_checkpoint()) as timeline,
  (select system_identifier::text from pg_control_system()) as system,
  coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp()), 0)::float8 as "lagSeconds"`

/** A position after all commits that have been acknowledged. */
export const readPrimary = async (query: Query): Promise<Origin> => {
  const [row] = await query<Origin>(OF_PRIMARY, [])
  if (!row) throw new Error('the statement returned no row')
  return row
}

/** @returns the bytes that a replica has replayed; undefined for a server that is not one any more. */
export const readReplayed = async (
  client: Pick<postgres.Sql, 'unsafe'>,
): Promise<number | undefined> => {
  const [row] = await client.unsafe(`select ${REPLAYED}`)
  return row?.bytes ?? undefined
}

/** Describes a server; `bytes` is undefined if it is not a replica. */
export const inspectReplica = async (client: Pick<postgres.Sql, 'unsafe'>) => {
  const rows = await client.unsafe(OF_REPLICA)
  const [row] = rows
  if (!row) throw new Error('the statement returned no row')
  return {
    bytes: (row.bytes ?? undefined) as number | undefined,
    timeline: row.timeline as number,
    system: row.system as string,
    lagSeconds: row.lagSeconds as number,
    isPooled: row.pid !== rows.state.pid,
  }
}
