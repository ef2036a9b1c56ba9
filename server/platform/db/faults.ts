import { ConnectionWaitError } from './limited-pool.ts'

/**
 * The connection was not made, so nothing was executed: codes of the operating system, and SQLSTATEs of a
 * server that starts or has no connection left.
 */
const UNREACHED = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P03',
  '53300',
])

/** The connection was lost, so a statement may have been executed: codes of the system and of the driver. */
const LOST = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  // The session was idle in a transaction for too long, or ended by an administrator or a crash.
  '25P03',
  '57P01',
  '57P02',
  '57P04',
  '57P05',
])

/** A lock was not free in time, or the transaction was deadlocked at each attempt. */
const BUSY = new Set(['55P03', '40P01'])

/** PostgreSQL ended the statement at its time limit, or because svc requested it. */
const CANCELED = '57014'

/** Why the database did not execute a statement; a later attempt may succeed. */
export type DatabaseFailure = 'unreached' | 'lost' | 'busy' | 'timeout'

/** The failure of the database, directly or as the cause: drizzle wraps errors. Undefined for other errors. */
export const databaseFailureOf = (error: unknown): DatabaseFailure | undefined => {
  if (!(error instanceof Error)) return undefined
  if (error instanceof ConnectionWaitError) return 'timeout'
  const { code } = error as { code?: unknown }
  // Other connections fail with the same codes of the system, but the driver adds the statement.
  if (typeof code === 'string' && ('query' in error || !isSystemCode(code))) {
    if (UNREACHED.has(code)) return 'unreached'
    // Class 08: PgBouncer also reports its own failures with it.
    if (LOST.has(code) || /^08...$/.test(code)) return 'lost'
    if (BUSY.has(code)) return 'busy'
    if (code === CANCELED) return 'timeout'
  }
  return databaseFailureOf(error.cause)
}

const isSystemCode = (code: string): boolean => code.startsWith('E')

/** Whether a statement was certainly not executed. */
export const isUnreached = (error: unknown): boolean => databaseFailureOf(error) === 'unreached'

/** Whether the connection failed, before or during a statement. */
export const isDisconnected = (error: unknown): boolean =>
  ['unreached', 'lost'].includes(databaseFailureOf(error) ?? '')
