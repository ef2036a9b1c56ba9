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
  summary: 'List the caller’s threads, most recent message first',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  query: DirectThreadQuery,
  success: [200, Type.Array(DirectThread)],
  errors: { 404: ['dm_thread_not_found'] },
})

export const startDirectThread = endpoint({
  name: 'startDirectThread',
  method: 'POST',
  path: '/api/dm/threads',
  tag,
  summary: 'Create a thread with a user, or return the existing one',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  body: StartThread,
  success: [201, DirectThread],
  errors: { 400: ['dm_to_self'], 404: ['username_not_found'], 429: ['new_threads_rate_limited'] },
})

export const listDirectMessages = endpoint({
  name: 'listDirectMessages',
  method: 'GET',
  path: '/api/dm/threads/{thread_id}/messages',
  tag,
  summary: 'List the latest messages of a thread, oldest first',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params,
  query: DirectMessageQuery,
  success: [200, Type.Array(DirectMessage)],
  errors: { 404: ['dm_thread_not_found', 'dm_message_not_found'] },
})

export const sendDirectMessage = endpoint({
  name: 'sendDirectMessage',
  method: 'POST',
  path: '/api/dm/threads/{thread_id}/messages',
  tag,
  summary: 'Send a direct message',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params,
  body: SendDirectMessage,
  success: [201, DirectMessage],
  errors: {
    404: ['dm_thread_not_found', 'dm_message_not_found'],
    409: ['dm_peer_deleted'],
    429: ['direct_messages_rate_limited'],
  },
})

export const readDirectThread = endpoint({
  name: 'readDirectThread',
  method: 'POST',
  path: '/api/dm/threads/{thread_id}/read',
  tag,
  summary: 'Mark a thread as read',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params,
  success: [200, DirectThread],
  errors: { 404: ['dm_thread_not_found'] },
})

export const archiveDirectThread = endpoint({
  name: 'archiveDirectThread',
  method: 'PUT',
  path: '/api/dm/threads/{thread_id}/archive',
  tag,
  summary: 'Archive or unarchive a thread for the caller',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params,
  success: [200, DirectThread],
  errors: { 404: ['dm_thread_not_found'] },
})
