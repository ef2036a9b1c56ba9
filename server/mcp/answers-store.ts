import type { Query } from '../platform/db/database.ts'

/** The channel on which a process learns of an answer that another one received. */
export const ANSWERS_CHANNEL = 'svc_mcp_answers'

/** @param text of less than 8,000 bytes (PostgreSQL, NOTIFY). */
export const notifyAnswer = async (query: Query, text: string): Promise<void> => {
  await query('select pg_notify($1, $2)', [ANSWERS_CHANNEL, text])
}
