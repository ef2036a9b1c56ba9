import type {
  DirectMessage,
  DirectMessageQuery,
  DirectThread,
  DirectThreadQuery,
  SendDirectMessage,
  StartThread,
} from '../../../shared/schemas/dm.ts'
import type { Erase } from '../../account/deletion/service.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Answers } from './answers.ts'
import { mentionsIcog } from './mention.ts'
import { createPresent } from './present.ts'
import {
  clearUnread,
  findMember,
  findMessage,
  findPeople,
  findPersonByUsername,
  findThread,
  findThreadOf,
  holdPeople,
  insertMessage,
  insertThread,
  leaveThreads,
  listMessages,
  listThreads,
  type Person,
  takePosition,
  toggleArchived,
} from './store.ts'
import type { DmMemberRow } from './table.ts'

/** A message that somebody received from another person. */
export interface ReceivedMessage {
  toUserId: string
  message: DirectMessage
}

export interface DirectMessageSettings {
  baseUrl: string
  /** Told of what people receive, within the transaction that keeps it. */
  received?: (tx: Db, received: ReceivedMessage) => Promise<void>
}

export type DirectMessageService = ReturnType<typeof createDirectMessageService>

export const createDirectMessageService = (
  { db }: Database,
  answers: Pick<Answers, 'ask'>,
  limits: Pick<Limits, 'newThreads' | 'directMessages'>,
  { baseUrl, received }: DirectMessageSettings,
) => {
  const present = createPresent(baseUrl)

  /** @throws ApiError 404 for a thread that is not there, or that the caller is not in; so do all below. */
  const memberOf = async (within: Db, { userId }: Caller, threadId: string) => {
    const member = await findMember(within, userId, threadId)
    if (!member) throw threadNotFound()
    return member
  }

  const threadOf = async ({ userId }: Caller, threadId: string): Promise<DirectThread> => {
    const [view, [me]] = await Promise.all([
      findThread(db, userId, threadId),
      findPeople(db, [userId]),
    ])
    if (!view || !me) throw threadNotFound()
    return present.thread(view, me)
  }

  /** @throws ApiError 404 for somebody who is not there, 429 for one stranger too many. */
  const begin = async ({ userId }: Caller, peer: Person | undefined): Promise<string> => {
    await limits.newThreads.take(userId)
    if (!peer) throw personNotFound()
    return db.transaction(async (tx) => {
      if ((await holdPeople(tx, [userId, peer.id])).length < 2) throw personNotFound()
      await insertThread(tx, userId, peer.id)
      const thread = await findThreadOf(tx, userId, peer.id)
      if (!thread) throw personNotFound()
      return thread.threadId
    })
  }

  /** @throws ApiError 409 where nobody would read it, 404 for a message to reply to that is not there. */
  const write = async (
    tx: Db,
    { userId, threadId, peerId }: DmMemberRow,
    { content, reply_to_message_id }: SendDirectMessage,
  ): Promise<DirectMessage> => {
    const people = await holdPeople(tx, [userId, peerId])
    const isThere = (person: string) => people.some(({ id }) => id === person)
    if (!isThere(userId)) throw threadNotFound()
    if (!isThere(peerId)) throw peerIsGone()
    const replyTo = reply_to_message_id ?? null
    const position = await takePosition(tx, threadId)
    if (position === undefined) throw threadNotFound()
    if (replyTo && !(await findMessage(tx, threadId, replyTo))) throw messageNotFound()
    const isQuestion = mentionsIcog(content)
    const row = await insertMessage(tx, {
      threadId,
      userId,
      position,
      content,
      mentionsIcog: isQuestion,
      replyTo,
    })
    const message = present.message(row, people)
    if (isQuestion) await answers.ask(tx, row)
    await received?.(tx, { toUserId: peerId, message })
    return message
  }

  return {
    /** @throws ApiError 404 when the thread to go on from is not there. */
    async list(caller: Caller, query: DirectThreadQuery): Promise<DirectThread[]> {
      const { userId } = caller
      const before = query.before ? await memberOf(db, caller, query.before) : undefined
      const withArchived = query.include_archived
      const [views, [me]] = await Promise.all([
        listThreads(db, userId, { withArchived, before, limit: query.limit }),
        findPeople(db, [userId]),
      ])
      return me ? views.map((view) => present.thread(view, me)) : []
    },

    /**
     * The thread with somebody: the one that there is, or a new one.
     * @throws ApiError 400 for oneself, 404 for a username that nobody has, 429 for too many new ones.
     */
    async start(caller: Caller, { username }: StartThread): Promise<DirectThread> {
      const peer = await findPersonByUsername(db, username.replace(/^@/, '').toLowerCase())
      if (peer?.id === caller.userId) throw new ApiError(400, 'You cannot write to yourself')
      const known = peer && (await findThreadOf(db, caller.userId, peer.id))
      return threadOf(caller, known?.threadId ?? (await begin(caller, peer)))
    },

    /** A page of messages, oldest first. @throws ApiError 404 also when `before` is not there. */
    async messages(
      caller: Caller,
      threadId: string,
      { before, limit }: DirectMessageQuery,
    ): Promise<DirectMessage[]> {
      const { userId, peerId } = await memberOf(db, caller, threadId)
      const next = before && (await findMessage(db, threadId, before))
      if (before && !next) throw messageNotFound()
      const [rows, people] = await Promise.all([
        listMessages(db, threadId, { before: next ? next.position : undefined, limit }),
        findPeople(db, [userId, peerId]),
      ])
      return rows.toReversed().map((row) => present.message(row, people))
    },

    /**
     * @throws ApiError 404 also for a message to reply to that is not there, 409 where the other is gone,
     * 429 for too many within a minute.
     */
    async send(caller: Caller, threadId: string, body: SendDirectMessage): Promise<DirectMessage> {
      await limits.directMessages.take(caller.userId)
      return db.transaction(async (tx) => write(tx, await memberOf(tx, caller, threadId), body))
    },

    async read(caller: Caller, threadId: string): Promise<DirectThread> {
      await clearUnread(db, caller.userId, threadId)
      return threadOf(caller, threadId)
    },

    async toggleArchive(caller: Caller, threadId: string): Promise<DirectThread> {
      await toggleArchived(db, caller.userId, threadId)
      return threadOf(caller, threadId)
    },
  }
}

/** The other one of each thread keeps it, with what they wrote themselves. */
export const eraseThreads: Erase = (tx, { id }) => leaveThreads(tx, id)

const threadNotFound = () => new ApiError(404, 'Thread not found')
const messageNotFound = () => new ApiError(404, 'Message not found')
const personNotFound = () => new ApiError(404, 'Nobody has this username')
const peerIsGone = () => new ApiError(409, 'The other person has deleted their account')
