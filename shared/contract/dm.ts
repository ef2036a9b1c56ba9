import { Type } from '@sinclair/typebox'
import { Uuid } from '../schemas/common.ts'
import {
  DirectMessage,
  DirectMessageQuery,
  DirectThread,
  DirectThreadQuery,
  SendDirectMessage,
  StartThread,
} from '../schemas/dm.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Direct messages'
const params = Type.Object({ thread_id: Uuid() })

export const listDirectThreads = endpoint({
  name: 'listDirectThreads',
  method: 'GET',
  path: '/api/dm/threads',
  tag,
  summary: 'The threads that the caller is in, by their last message, newest first',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  query: DirectThreadQuery,
  success: [200, Type.Array(DirectThread)],
  errors: [404],
})

export const startDirectThread = endpoint({
  name: 'startDirectThread',
  method: 'POST',
  path: '/api/dm/threads',
  tag,
  summary: 'Begin a thread with somebody, or find the one that there is',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  body: StartThread,
  success: [201, DirectThread],
  errors: [400, 404, 429],
})

export const listDirectMessages = endpoint({
  name: 'listDirectMessages',
  method: 'GET',
  path: '/api/dm/threads/{thread_id}/messages',
  tag,
  summary: 'The last messages of a thread, oldest first',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params,
  query: DirectMessageQuery,
  success: [200, Type.Array(DirectMessage)],
  errors: [404],
})

export const sendDirectMessage = endpoint({
  name: 'sendDirectMessage',
  method: 'POST',
  path: '/api/dm/threads/{thread_id}/messages',
  tag,
  summary: 'Write to somebody',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params,
  body: SendDirectMessage,
  success: [201, DirectMessage],
  errors: [404, 409, 429],
})

export const readDirectThread = endpoint({
  name: 'readDirectThread',
  method: 'POST',
  path: '/api/dm/threads/{thread_id}/read',
  tag,
  summary: 'Note that everything in a thread was read',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params,
  success: [200, DirectThread],
  errors: [404],
})

export const archiveDirectThread = endpoint({
  name: 'archiveDirectThread',
  method: 'PUT',
  path: '/api/dm/threads/{thread_id}/archive',
  tag,
  summary: 'Archive a thread for oneself, or bring it back',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params,
  success: [200, DirectThread],
  errors: [404],
})
