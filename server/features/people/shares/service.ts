import { randomBytes } from 'node:crypto'
import {
  createShare,
  deleteShare,
  getShare,
  listShares,
} from '../../../../shared/contract/index.ts'
import type {
  CreateShare,
  OwnShare,
  Share,
  SharedConversation,
  SharedConversationQuery,
  SharedMessage,
  ShareQuery,
} from '../../../../shared/contract/shares.ts'
import { lockUserExclusive } from '../../../account/users/lock.ts'
import type { ChatSessionService } from '../../../conversation/chat-sessions/service.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { commonError, defineErrors } from '../../../platform/http/error.ts'
import type { Mount } from '../../../platform/http/route.ts'
import { checkRowLimit, type RowLimit } from '../../../platform/row-limit.ts'
import {
  copyMessages,
  findShare,
  findShareWithState,
  insertShare,
  isNotRevoked,
  listSharedMessages,
  listShareRows,
  revokeShare,
} from './store.ts'
import { type ShareMessageRow, type ShareRow, shares } from './table.ts'

const shareError = defineErrors({
  share_not_found: { status: 404, detail: 'Share not found' },
  share_closed: { status: 410, detail: 'This conversation is no longer shared' },
})

/** Bounds the copies, which stay. */
const ROW_LIMIT: RowLimit = { table: shares, max: 500, name: 'shares', counted: isNotRevoked }
/** The size of the texts on a page; a single message may be larger. */
const MAX_PAGE_BYTES = 1024 * 1024
const PATH = '/s/'
/** 32 random bytes in base64url. */
const TOKEN = /^[\w-]{43}$/

export type ShareService = ReturnType<typeof createShareService>

export const createShareService = (
  { db }: Database,
  sessions: Pick<ChatSessionService, 'lock'>,
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
     * Copies a session, or its messages up to one. Later changes of the session do not change the copy.
     * @throws ApiError 404 unless session and message are the caller's, 409 for too many shares.
     */
    async create(caller: Caller, { session_id, message_id }: CreateShare): Promise<Share> {
      const { userId } = caller
      const share = await db.transaction(async (tx) => {
        // Exclusive, so that concurrent shares are counted one after the other.
        if (!(await lockUserExclusive(tx, userId))) throw commonError('bad_credentials')
        const { title, position } = await sessions.lock(tx, caller, session_id, message_id ?? null)
        await checkRowLimit(tx, userId, ROW_LIMIT)
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

    /** @throws ApiError 404 unless the share `before` is the caller's. */
    async list(caller: Caller, { before, limit }: ShareQuery): Promise<OwnShare[]> {
      const last = before === undefined ? undefined : await findShare(db, before)
      if (before !== undefined && last?.userId !== caller.userId)
        throw shareError('share_not_found')
      const rows = await listShareRows(db, caller.userId, { before: last, limit })
      return rows.map(present)
    },

    /** @throws ApiError 404 unless the share is the caller's. */
    async revoke(caller: Caller, token: string): Promise<void> {
      const existed = await db.transaction((tx) => revokeShare(tx, caller.userId, token))
      if (!existed) throw shareError('share_not_found')
    },

    /**
     * The public content of a share.
     * @throws ApiError 404 for an unknown token, 410 for a revoked share or a disabled owner.
     */
    async show(
      token: string,
      { cursor, limit }: SharedConversationQuery,
    ): Promise<SharedConversation> {
      const shared = TOKEN.test(token) ? await findShareWithState(db, token) : undefined
      if (!shared) throw shareError('share_not_found')
      if (!shared.isOpen) throw shareError('share_closed')
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

export const shareRoutes = (mount: Mount, shares: ShareService): void => {
  mount(createShare, ({ caller, body }) => shares.create(caller, body))
  mount(listShares, ({ caller, query }) => shares.list(caller, query))
  mount(getShare, ({ params, query }) => shares.show(params.token, query))
  mount(deleteShare, async ({ caller, params }) => {
    await shares.revoke(caller, params.token)
    return undefined
  })
}
