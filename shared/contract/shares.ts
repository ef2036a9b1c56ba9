import { Type } from '@sinclair/typebox'
import {
  CreateShare,
  OwnShare,
  Share,
  SharedConversation,
  SharedConversationQuery,
  ShareQuery,
} from '../schemas/shares.ts'
import { endpoint } from './endpoint.ts'

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
  errors: { 404: ['share_not_found'] },
})
