import type {
  DirectMessage,
  DirectMessageQuery,
  SendDirectMessage,
} from '../../../shared/contract/dm.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Limiter } from '../../platform/http/limits.ts'
import type { Answers } from './answers.ts'
import { dmError } from './errors.ts'
import { directMessageLimit } from './limits.ts'
import { mentionsIcog } from './mention.ts'
import { findDmMessage, insertDmMessage, listDmMessages, nextDmPosition } from './message-store.ts'
import type { DmPresenter } from './present.ts'
import { findParticipants, lockParticipants } from './store.ts'
import type { DmMemberRow } from './table.ts'
import { requireMember } from './threads.ts'

/** A message that a user received from another user. */
export interface ReceivedMessage {
  toUserId: string
  message: DirectMessage
}

/** Called within the transaction that stores a message. */
type OnReceived = (tx: Db, received: ReceivedMessage) => Promise<void>

export type DirectMessageService = ReturnType<typeof createDirectMessageService>

export const createDirectMessageService = (
  { db }: Database,
  {
    answers,
    limiter,
    present,
    onReceived,
  }: {
    answers: Pick<Answers, 'ask'>
    limiter: Limiter
    present: DmPresenter
    onReceived: OnReceived
  },
) => {
  const write = async (
    tx: Db,
    { userId, threadId, peerId }: DmMemberRow,
    { content, reply_to_message_id }: SendDirectMessage,
  ): Promise<DirectMessage> => {
    const participants = await lockParticipants(tx, [userId, peerId])
    const exists = (userId: string) => participants.some(({ id }) => id === userId)
    if (!exists(userId)) throw dmError('dm_thread_not_found')
    if (!exists(peerId)) throw dmError('dm_peer_deleted')
    const replyTo = reply_to_message_id ?? null
    const position = await nextDmPosition(tx, threadId)
    if (position === undefined) throw dmError('dm_thread_not_found')
    if (replyTo && !(await findDmMessage(tx, threadId, replyTo)))
      throw dmError('dm_message_not_found')
    const isQuestion = mentionsIcog(content)
    const row = await insertDmMessage(tx, {
      threadId,
      userId,
      position,
      content,
      mentionsIcog: isQuestion,
      replyTo,
    })
    const message = present.message(row, participants)
    if (isQuestion) await answers.ask(tx, row)
    await onReceived(tx, { toUserId: peerId, message })
    return message
  }

  return {
    /**
     * A page of messages, oldest first.
     * @throws ApiError 404 unless the caller is a member and `before` is in the thread.
     */
    async list(
      caller: Caller,
      threadId: string,
      { before, limit }: DirectMessageQuery,
    ): Promise<DirectMessage[]> {
      const { userId, peerId } = await requireMember(db, caller, threadId)
      const next = before && (await findDmMessage(db, threadId, before))
      if (before && !next) throw dmError('dm_message_not_found')
      const [rows, participants] = await Promise.all([
        listDmMessages(db, threadId, { before: next ? next.position : undefined, limit }),
        findParticipants(db, [userId, peerId]),
      ])
      return rows.toReversed().map((row) => present.message(row, participants))
    },

    /**
     * @throws ApiError 404 unless the caller is a member and the message to reply to is in the thread,
     * 409 for a deleted peer, 429 for too many messages a minute.
     */
    async send(caller: Caller, threadId: string, body: SendDirectMessage): Promise<DirectMessage> {
      await limiter.consume(directMessageLimit, caller.userId)
      return db.transaction(async (tx) =>
        write(tx, await requireMember(tx, caller, threadId), body),
      )
    },
  }
}
