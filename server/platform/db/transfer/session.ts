import postgres from 'postgres'
import { OperatorError } from '../../operator-error.ts'
import { queryOn } from '../connections.ts'
import type { Query } from '../database.ts'
import { clientOptions, type EmbeddedAddress } from '../embedded/open.ts'
import { NO_LIMITS } from '../limits.ts'
import { detectPooler, explainConnection, withClient } from '../preparation.ts'

export type Transaction = postgres.TransactionSql

/** The text of values must not depend on the settings of a server, and no timeout may end a long copy. */
const SESSION = `
set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres';
set local bytea_output = 'hex'; set local extra_float_digits = 1;
${NO_LIMITS}`

/** A connection of an operator's command. It migrates nothing. */
export type DatabaseSession = Awaited<ReturnType<typeof openDatabaseSession>>

/**
 * Connects to a server by its URL, or to an embedded one.
 * @throws OperatorError when the server is unreachable or refuses the login.
 */
export const openDatabaseSession = async (target: string | EmbeddedAddress) => {
  const options = {
    max: 1,
    onnotice: () => {},
    connect_timeout: 10,
    // A session has locks, which end with its connection.
    max_lifetime: null,
    connection: { application_name: 'svc admin' },
  }
  const open = (more: postgres.Options<Record<string, never>> = {}) =>
    typeof target === 'string'
      ? postgres(target, { ...options, ...more })
      : postgres({ ...options, ...clientOptions(target) })
  const first = open()
  const pooler = await withClient(first, () => detectPooler(first)).catch((cause) => {
    if (typeof target !== 'string') throw cause
    throw new OperatorError(explainConnection(cause as Error, target), { cause })
  })
  const sql = open({ prepare: pooler?.keepsStatements ?? true })
  const close = () => sql.end({ timeout: 5 })
  const begin = <T>(mode: string, work: (tx: Transaction) => Promise<T>) =>
    sql.begin(mode, async (tx) => {
      await configure(tx)
      return work(tx)
    }) as Promise<T>
  return {
    sql,
    /** It goes through a connection pooler, so locks of a session are not possible. */
    isPooled: pooler !== undefined,
    /** Reads one state of the database, whatever is written meanwhile. */
    read: <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
      begin('isolation level repeatable read read only', work),
    write: <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => begin('', work),
    [Symbol.asyncDispose]: close,
  }
}

/** Sets the session up; again after a script that has changed its settings. */
export const configure = async (tx: Transaction): Promise<void> => {
  await tx.unsafe(SESSION)
}

/** Runs the statements of a store within a transaction. */
export const queryWithin = (tx: Transaction): Query => queryOn(tx)
