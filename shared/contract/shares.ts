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
const params = Type.Object({ token: Type.String() })

export const createShare = endpoint({
  name: 'createShare',
  method: 'POST',
  path: '/api/shares',
  tag,
  summary: 'Share a chat session as it is now, or up to one message, with whoever has the link',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  body: CreateShare,
  success: [200, Share],
  errors: [404, 409],
})

export const listShares = endpoint({
  name: 'listShares',
  method: 'GET',
  path: '/api/shares',
  tag,
  summary: 'What the caller shares, newest first',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  query: ShareQuery,
  success: [200, Type.Array(OwnShare)],
  errors: [404],
})

export const getShare = endpoint({
  name: 'getShare',
  method: 'GET',
  path: '/api/shares/{token}',
  tag,
  summary: 'A shared conversation, for anybody',
  credential: 'none',
  params,
  query: SharedConversationQuery,
  success: [200, SharedConversation],
  errors: [404, 410],
})

export const deleteShare = endpoint({
  name: 'deleteShare',
  method: 'DELETE',
  path: '/api/shares/{token}',
  tag,
  summary: 'Take a share back: its link opens nothing any more',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params,
  success: [204, null],
  errors: [404],
})
