import type {
  DirectThread,
  DirectThreadQuery,
  StartThread,
} from '../../../../shared/contract/dm.ts'
import type { Erase } from '../../../account/users/deletion.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { defineErrors } from '../../../platform/http/error.ts'
import { DAY_SECONDS, defineLimit, type Limiter } from '../../../platform/http/limits.ts'
import type { DmPresenter } from './present.ts'
import {
  clearUnread,
  findDmThread,
  findMember,
  findParticipants,
  findThreadOfPair,
  findUserByUsername,
  insertDmThread,
  leaveThreads,
  listDmThreads,
  lockParticipants,
  type Participant,
  toggleArchived,
} from './store.ts'
import type { DmMemberRow } from './table.ts'

export const dmError = defineErrors({
  dm_thread_not_found: { status: 404, detail: 'Thread not found' },
  dm_message_not_found: { status: 404, detail: 'Message not found' },
  username_not_found: { status: 404, detail: 'No user has this username' },
  dm_to_self: { status: 400, detail: 'You cannot write to yourself' },
  dm_peer_deleted: { status: 409, detail: 'The other user has deleted their account' },
})

/** Users whom a user writes to for the first time. */
export const newThreadLimit = defineLimit({
  name: 'new_threads',
  per: 'user',
  points: 50,
  windowSeconds: DAY_SECONDS,
  exceeded: 'Too many new threads',
})

export type DirectThreadService = ReturnType<typeof createDirectThreadService>

/** @throws ApiError 404 unless the caller is a member of the thread. */
export const requireMember = async (
  within: Db,
  { userId }: Caller,
  threadId: string,
): Promise<DmMemberRow> => {
  const member = await findMember(within, userId, threadId)
  if (!member) throw dmError('dm_thread_not_found')
  return member
}

export const createDirectThreadService = (
  { db }: Database,
  limiter: Limiter,
  present: DmPresenter,
) => {
  const get = async (
    { userId }: Caller,
    threadId: string,
    within: Db = db,
  ): Promise<DirectThread> => {
    const [view, [me]] = await Promise.all([
      findDmThread(within, userId, threadId),
      findParticipants(within, [userId]),
    ])
    if (!view || !me) throw dmError('dm_thread_not_found')
    return present.thread(view, me)
  }

  /** @throws ApiError 404 without a peer, 429 for too many new threads. */
  const create = async ({ userId }: Caller, peer: Participant | undefined): Promise<string> => {
    // Usernames that do not exist count too, so that the limit also slows down their enumeration.
    await limiter.consume(newThreadLimit, userId)
    if (!peer) throw dmError('username_not_found')
    return db.transaction(async (tx) => {
      const participants = await lockParticipants(tx, [userId, peer.id])
      if (participants.length < 2) throw dmError('username_not_found')
      await insertDmThread(tx, userId, peer.id)
      const thread = await findThreadOfPair(tx, userId, peer.id)
      if (!thread) throw dmError('username_not_found')
      return thread.threadId
    })
  }

  /** Changes a thread of the caller. The row stays locked, so that the result includes the change. */
  const changed = (
    caller: Caller,
    threadId: string,
    change: (tx: Db, userId: string, threadId: string) => Promise<void>,
  ): Promise<DirectThread> =>
    db.transaction(async (tx) => {
      await change(tx, caller.userId, threadId)
      return get(caller, threadId, tx)
    })

  return {
    /** @throws ApiError 404 unless the caller is a member of the thread `before`. */
    async list(caller: Caller, query: DirectThreadQuery): Promise<DirectThread[]> {
      const { userId } = caller
      const before = query.before ? await requireMember(db, caller, query.before) : undefined
      const withArchived = query.include_archived
      const [views, [me]] = await Promise.all([
        listDmThreads(db, userId, { withArchived, before, limit: query.limit }),
        findParticipants(db, [userId]),
      ])
      return me ? views.map((view) => present.thread(view, me)) : []
    },

    /**
     * The thread with a user, created if there is none.
     * @throws ApiError 400 for the caller's own username, 404 for an unknown one, 429 for too many new
     * threads.
     */
    async start(caller: Caller, { username }: StartThread): Promise<DirectThread> {
      const peer = await findUserByUsername(db, username.replace(/^@/, '').toLowerCase())
      if (peer?.id === caller.userId) throw dmError('dm_to_self')
      const existing = peer && (await findThreadOfPair(db, caller.userId, peer.id))
      return get(caller, existing?.threadId ?? (await create(caller, peer)))
    },

    /** @throws ApiError 404 unless the caller is a member. */
    read: (caller: Caller, threadId: string): Promise<DirectThread> =>
      changed(caller, threadId, clearUnread),

    /** @throws ApiError 404 unless the caller is a member. */
    toggleArchive: (caller: Caller, threadId: string): Promise<DirectThread> =>
      changed(caller, threadId, toggleArchived),
  }
}

/** The peer keeps each thread, with the peer's own messages. */
export const eraseThreads: Erase = (tx, { id }) => leaveThreads(tx, id)
