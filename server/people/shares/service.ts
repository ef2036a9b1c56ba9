import { randomBytes } from 'node:crypto'
import { isNull } from 'drizzle-orm'
import { errorText } from '../../../shared/errors.ts'
import type {
  CreateShare,
  OwnShare,
  Share,
  SharedConversation,
  SharedConversationQuery,
  SharedMessage,
  ShareQuery,
} from '../../../shared/schemas/shares.ts'
import { holdUserAlone } from '../../account/users/hold.ts'
import type { ChatSessionService } from '../../conversation/sessions/service.ts'
import { type Cap, checkRoom } from '../../platform/db/caps.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import {
  copyMessages,
  findShare,
  findShared,
  insertShare,
  listSharedMessages,
  listShares,
  revokeShare,
} from './store.ts'
import { type ShareMessageRow, type ShareRow, shares } from './table.ts'

/** Each is a copy that stays, so that not everything is copied again and again. */
const CAP: Cap = { table: shares, most: 500, name: 'shares', counted: isNull(shares.revokedAt) }
/** Of the texts of a page; it is passed by one message at most. */
const MAX_PAGE_BYTES = 1024 * 1024
const PATH = '/s/'
/** 32 random bytes in base64url. */
const TOKEN = /^[\w-]{43}$/

export type ShareService = ReturnType<typeof createShareService>

export const createShareService = (
  { db }: Database,
  sessions: Pick<ChatSessionService, 'hold'>,
  { baseUrl }: { baseUrl: string },
) => {
  const linkOf = ({ token }: ShareRow): Share => ({ token, url: `${baseUrl}${PATH}${token}` })

  const present = (share: ShareRow): OwnShare => ({
    ...linkOf(share),
    session_id: share.sessionId,
    title: share.title,
    message_count: share.messageCount,
    created_at: share.createdAt.toISOString(),
  })

  return {
    /**
     * Copies a session as it is, or up to a message: nothing that becomes of it changes the copy.
     * @throws ApiError 404 for a session or message that is not the caller's, 409 for one share too many.
     */
    async create(caller: Caller, { session_id, message_id }: CreateShare): Promise<Share> {
      const { userId } = caller
      const share = await db.transaction(async (tx) => {
        // Alone, so that shares made at once are counted one after the other.
        if (!(await holdUserAlone(tx, userId))) throw new ApiError(401, errorText.badCredentials)
        const { title, position } = await sessions.hold(tx, caller, session_id, message_id ?? null)
        await checkRoom(tx, userId, CAP)
        const inserted = await insertShare(tx, {
          userId,
          shareId: Bun.randomUUIDv7(),
          token: randomBytes(32).toString('base64url'),
          sessionId: session_id,
          title,
          messageCount: position,
        })
        await copyMessages(tx, inserted, position)
        return inserted
      })
      return linkOf(share)
    },

    /** @throws ApiError 404 when the share to go on from is not there. */
    async list(caller: Caller, { before, limit }: ShareQuery): Promise<OwnShare[]> {
      const last = before === undefined ? undefined : await findShare(db, before)
      if (before !== undefined && last?.userId !== caller.userId) throw notFound()
      const rows = await listShares(db, caller.userId, { before: last, limit })
      return rows.map(present)
    },

    /** @throws ApiError 404 for a share that is not there, or not the caller's. */
    async revoke(caller: Caller, token: string): Promise<void> {
      const wasThere = await db.transaction((tx) => revokeShare(tx, caller.userId, token))
      if (!wasThere) throw notFound()
    },

    /**
     * What a link shows to anybody.
     * @throws ApiError 404 for a token that is none, 410 for a share that was taken back, or of somebody
     * who is kept out.
     */
    async show(
      token: string,
      { cursor, limit }: SharedConversationQuery,
    ): Promise<SharedConversation> {
      const shared = TOKEN.test(token) ? await findShared(db, token) : undefined
      if (!shared) throw notFound()
      if (!shared.isOpen) throw new ApiError(410, 'This conversation is not shared any more')
      const { share } = shared
      const rows = await listSharedMessages(db, share, {
        after: cursor,
        limit,
        maxBytes: MAX_PAGE_BYTES,
      })
      const last = rows.at(-1)?.position ?? share.messageCount
      return {
        title: share.title,
        message_count: share.messageCount,
        created_at: share.createdAt.toISOString(),
        messages: rows.map(presentMessage),
        next_cursor: last < share.messageCount ? last : null,
      }
    },
  }
}

const notFound = () => new ApiError(404, 'Share not found')

const presentMessage = ({
  role,
  content,
  files,
  createdAt,
}: Pick<ShareMessageRow, 'role' | 'content' | 'files' | 'createdAt'>): SharedMessage => ({
  role,
  content,
  files,
  created_at: createdAt.toISOString(),
})
