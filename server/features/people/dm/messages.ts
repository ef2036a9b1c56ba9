import type {
  DirectMessage,
  DirectMessageQuery,
  SendDirectMessage,
} from '../../../../shared/contract/dm.ts'
import {
  archiveDirectThread,
  listDirectMessages,
  listDirectThreads,
  readDirectThread,
  sendDirectMessage,
  startDirectThread,
} from '../../../../shared/contract/index.ts'
import type { ObservedMessage, OnMessage } from '../../../conversation/on-message.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { defineLimit, type Limiter, MINUTE_SECONDS } from '../../../platform/http/limits.ts'
import type { Mount } from '../../../platform/http/route.ts'
import { type AnnounceMessage, type MentionAnswers, mentionsIcog } from './answers.ts'
import { findDmMessage, insertDmMessage, listDmMessages, nextDmPosition } from './message-store.ts'
import type { DmPresenter } from './present.ts'
import { findParticipants, lockParticipants } from './store.ts'
import type { DmMemberRow } from './table.ts'
import { type DirectThreadService, dmError, requireMember } from './threads.ts'

export const directMessageLimit = defineLimit({
  name: 'direct_messages',
  per: 'user',
  points: 60,
  windowSeconds: MINUTE_SECONDS,
  exceeded: 'Too many messages sent',
})

type DirectMessageService = ReturnType<typeof createDirectMessageService>

export const createDirectMessageService = (
  { db }: Database,
  {
    answers,
    limiter,
    present,
    onMessage,
    announce,
  }: {
    answers: Pick<MentionAnswers, 'ask'>
    limiter: Limiter
    present: DmPresenter
    onMessage: OnMessage
    announce: AnnounceMessage
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
    if (isQuestion) await answers.ask(tx, row, peerId)
    await onMessage(tx, peerId, receivedMessage(message))
    announce(tx, { from: userId, to: [peerId] })
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

/** A message as the reflexes of its receiver get it. */
const receivedMessage = (message: DirectMessage): ObservedMessage => ({
  source: 'dm',
  messageId: message.id,
  content: message.content,
  about: {
    thread_id: message.thread_id,
    author_id: message.author_id,
    author_username: message.author_username,
  },
})

export const directMessageRoutes = (
  mount: Mount,
  threads: DirectThreadService,
  messages: DirectMessageService,
): void => {
  mount(listDirectThreads, ({ caller, query }) => threads.list(caller, query))
  mount(startDirectThread, ({ caller, body }) => threads.start(caller, body))
  mount(readDirectThread, ({ caller, params }) => threads.read(caller, params.thread_id))
  mount(archiveDirectThread, ({ caller, params }) =>
    threads.toggleArchive(caller, params.thread_id),
  )
  mount(listDirectMessages, ({ caller, params, query }) =>
    messages.list(caller, params.thread_id, query),
  )
  mount(sendDirectMessage, ({ caller, params, body }) =>
    messages.send(caller, params.thread_id, body),
  )
}
