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
  summary: 'Share a snapshot of a chat session, or of its messages up to one, by link',
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
  summary: 'List the caller’s shares, newest first',
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
  summary: 'Get a shared conversation (public)',
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
  summary: 'Delete a share; its link stops working',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params,
  success: [204, null],
  errors: [404],
})
