import type { MESSAGE_SOURCES } from '../../shared/contract/common.ts'
import type { Db } from '../platform/db/database.ts'

/** A message that was sent by a user, or to one. */
export interface ObservedMessage {
  source: (typeof MESSAGE_SOURCES)[number]
  /** The id of the message or exchange. */
  messageId: string
  content: string
  /** Ids and names of the conversation and the author, as the event has them. */
  about: Record<string, string | null>
}

/**
 * Called for each message, in the transaction that stores it and before that transaction locks a row.
 */
export type OnMessage = (tx: Db, userId: string, message: ObservedMessage) => Promise<void>
