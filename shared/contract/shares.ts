import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, PageSize, Timestamp, Uuid, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'

export const Share = Type.Object({
  token: Type.String({ description: 'Gives read access to the conversation without an account.' }),
  url: Type.String({ description: 'The public page of the conversation.' }),
})
export type Share = Static<typeof Share>

export const CreateShare = Type.Object({
  session_id: Uuid(),
  message_id: Type.Optional(
    Nullable(Uuid(), { description: 'The last message to share. Default: all messages.' }),
  ),
})
export type CreateShare = Static<typeof CreateShare>

/** A share in the list of its owner. */
export const OwnShare = Type.Object({
  ...Share.properties,
  session_id: Uuid({ description: 'The shared session, also after it was deleted.' }),
  title: Type.String(),
  message_count: Type.Integer(),
  created_at: Timestamp(),
})
export type OwnShare = Static<typeof OwnShare>

export const ShareQuery = Type.Object({
  before: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'The token of the last share of the previous page.',
    }),
  ),
  limit: PageSize(50),
})
export type ShareQuery = Static<typeof ShareQuery>

export const SharedMessage = Type.Object({
  role: OneOf(['user', 'assistant']),
  content: Type.String(),
  files: Type.Array(Type.String(), {
    description: 'The names of the attached files. The files themselves are not shared.',
  }),
  created_at: Timestamp(),
})
export type SharedMessage = Static<typeof SharedMessage>

/** A page of the snapshot of a conversation. */
export const SharedConversation = Type.Object({
  title: Type.String(),
  message_count: Type.Integer({ description: 'Number of messages of the whole conversation.' }),
  created_at: Timestamp({ description: 'When it was shared.' }),
  messages: Type.Array(SharedMessage, { description: 'Oldest first.' }),
  next_cursor: Nullable(
    Type.Integer({
      description: 'Pass it as `cursor` to get the next page; null on the last page.',
    }),
  ),
})
export type SharedConversation = Static<typeof SharedConversation>

export const SharedConversationQuery = Type.Object({
  cursor: withDefault(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'The `next_cursor` of the previous page.',
    }),
    0,
  ),
  limit: PageSize(100),
})
export type SharedConversationQuery = Static<typeof SharedConversationQuery>

const tag = 'Shares'
const params = Type.Object({
  token: Type.String({ examples: ['9vXq2mLk7Rz4TbWc8HsJ1pNd6FyGa3Ue'] }),
})

export const createShare = endpoint({
  name: 'createShare',
  method: 'POST',
  path: '/api/shares',
  tag,
  summary: 'Share a snapshot of a chat session, or of its messages up to one, by link',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  body: CreateShare,
  success: [200, Share],
  affects: ['listShares'],
  errors: { 404: ['chat_session_not_found', 'chat_message_not_found'], 409: ['cap_reached'] },
})

export const listShares = endpoint({
  name: 'listShares',
  method: 'GET',
  path: '/api/shares',
  tag,
  summary: 'List the caller’s shares, newest first',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  query: ShareQuery,
  success: [200, Type.Array(OwnShare)],
  errors: { 404: ['share_not_found'] },
})

export const getShare = endpoint({
  name: 'getShare',
  method: 'GET',
  path: '/api/shares/{token}',
  tag,
  summary: 'Get a shared conversation (public)',
  credential: 'none',
  params,
  query: SharedConversationQuery,
  success: [200, SharedConversation],
  errors: { 404: ['share_not_found'], 410: ['share_closed'] },
})

export const deleteShare = endpoint({
  name: 'deleteShare',
  method: 'DELETE',
  path: '/api/shares/{token}',
  tag,
  summary: 'Delete a share; its link stops working',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params,
  success: [204, null],
  affects: ['listShares'],
  errors: { 404: ['share_not_found'] },
})
