import type postgres from 'postgres'
import { runShared } from '../request-scope.ts'
import type { Query } from './database.ts'
import { ConnectionWaitError } from './limited-pool.ts'

/** A slower replica is not used, so that a hanging one delays a request only once. */
const POSITION_TIMEOUT_MS = 500
const STATEMENT_TIMEOUT_MS = 2_000
/** Less than a health check waits. */
const INSPECTION_TIMEOUT_MS = 1_000
/** PostgreSQL ends a statement before, so that a slow one does not end the use of the replica. */
export const REPLICA_STATEMENT_MS = STATEMENT_TIMEOUT_MS - 200

/** A replica in the same region replays a commit within some milliseconds. */
const PAUSES_MS = [0, 1, 3, 10, 20]

/** Opens a pool of connections to a replica. */
export type OpenReplica = (options: { onclose(): void }) => { client: postgres.Sql; query: Query }

export type ReplicaLink = ReturnType<typeof createLink>

/** A pool of connections to a replica, and its position. */
export const createLink = (open: OpenReplica) => {
  let timeline = 0
  // A replica that restarts may return to an earlier position. It closes all connections before.
  let replayed = 0
  let closures = 0
  const { client, query } = open({
    onclose: () => {
      replayed = 0
      closures++
    },
  })

  const readPosition = sharing(async () => {
    const before = closures
    const bytes = await within(
      POSITION_TIMEOUT_MS,
      // Several requests wait for it, so it does not end with one of them.
      runShared(() => readReplayed(client)),
    )
    if (bytes === undefined) throw new Error('the server is not a replica any more')
    if (closures === before) replayed = Math.max(replayed, bytes)
  })

  return {
    async inspect(): Promise<InspectedServer> {
      const found = await within(
        INSPECTION_TIMEOUT_MS,
        runShared(() => inspectReplica(client)),
      )
      timeline = found.timeline
      return found
    },

    /** Whether the replica has replayed the log up to a position, now or some milliseconds later. */
    async replays(position: WalPosition): Promise<boolean> {
      if (position.timeline !== timeline) return false
      for (const pause of PAUSES_MS) {
        if (pause) await Bun.sleep(pause)
        if (replayed < position.bytes) await readPosition()
        if (replayed >= position.bytes) return true
      }
      return false
    },

    /** Runs statements, which fail as soon as a connection has been closed: the position may be another. */
    statements(): Query {
      const before = closures
      const check = () => {
        if (closures !== before) throw new Error('a connection to the replica was closed')
      }
      return async <T>(text: string, params: unknown[]) => {
        check()
        const rows = await within(STATEMENT_TIMEOUT_MS, query<T>(text, params))
        check()
        return rows
      }
    },

    close: (): Promise<void> => client.end({ timeout: 0 }),
  }
}

/** Whether only the statement failed: it conflicts with the replay, or other ones of its account took too long. */
export const isStatementError = (error: unknown): boolean =>
  error instanceof ConnectionWaitError || (error as { severity?: unknown }).severity === 'ERROR'

const within = <T>(ms: number, work: Promise<T>): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

/** Makes callers share the next call that begins, and lets one run at a time. */
export const sharing = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let next: Promise<T> | undefined
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    if (next) return next
    const begin = () => {
      next = undefined
      return work()
    }
    next = last.then(begin, begin)
    last = next
    return next
  }
}

/** A position in the write-ahead log. */
interface WalPosition {
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
const readReplayed = async (client: Pick<postgres.Sql, 'unsafe'>): Promise<number | undefined> => {
  const [row] = await client.unsafe(`select ${REPLAYED}`)
  return row?.bytes ?? undefined
}

/** A server that may be a replica. */
export interface InspectedServer {
  /** Undefined if it is not a replica. */
  bytes: number | undefined
  timeline: number
  system: string
  lagSeconds: number
  isPooled: boolean
}

interface InspectionRow extends Omit<InspectedServer, 'bytes' | 'isPooled'> {
  bytes: number | null
  pid: number
}

const inspectReplica = async (client: Pick<postgres.Sql, 'unsafe'>): Promise<InspectedServer> => {
  const rows = await client.unsafe<InspectionRow[]>(OF_REPLICA)
  const [row] = rows
  if (!row) throw new Error('the statement returned no row')
  const { pid, bytes, ...server } = row
  return { ...server, bytes: bytes ?? undefined, isPooled: pid !== rows.state.pid }
}
