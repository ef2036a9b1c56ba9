import { Type } from '@sinclair/typebox'
import {
  ChatMessage,
  ChatMessageQuery,
  ChatSession,
  ChatSessionQuery,
  CreateChatSession,
  MoveChatSession,
  UpdateChatSession,
} from '../schemas/chat-sessions.ts'
import { Uuid } from '../schemas/common.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Chat sessions'
const params = Type.Object({ session_id: Uuid() })

export const listChatSessions = endpoint({
  name: 'listChatSessions',
  method: 'GET',
  path: '/api/sessions',
  tag,
  summary: 'Sessions, pinned ones first, then by when they last changed',
  credential: 'bearer',
  query: ChatSessionQuery,
  success: [200, Type.Array(ChatSession)],
  errors: [404],
})

export const createChatSession = endpoint({
  name: 'createChatSession',
  method: 'POST',
  path: '/api/sessions',
  tag,
  summary: 'Begin a session',
  credential: 'bearer',
  body: CreateChatSession,
  success: [201, ChatSession],
  errors: [409],
})

export const getChatSession = endpoint({
  name: 'getChatSession',
  method: 'GET',
  path: '/api/sessions/{session_id}',
  tag,
  summary: 'One session, without its messages',
  credential: 'bearer',
  params,
  success: [200, ChatSession],
  errors: [404],
})

export const updateChatSession = endpoint({
  name: 'updateChatSession',
  method: 'PATCH',
  path: '/api/sessions/{session_id}',
  tag,
  summary: 'Give a session another title',
  credential: 'bearer',
  params,
  body: UpdateChatSession,
  success: [200, ChatSession],
  errors: [404],
})

export const deleteChatSession = endpoint({
  name: 'deleteChatSession',
  method: 'DELETE',
  path: '/api/sessions/{session_id}',
  tag,
  summary: 'Delete a session and its messages, for good',
  credential: 'bearer',
  params,
  success: [204, null],
  errors: [404],
})

export const listChatMessages = endpoint({
  name: 'listChatMessages',
  method: 'GET',
  path: '/api/sessions/{session_id}/messages',
  tag,
  summary: 'The last messages of a session, oldest first',
  credential: 'bearer',
  params,
  query: ChatMessageQuery,
  success: [200, Type.Array(ChatMessage)],
  errors: [404],
})

export const readChatSession = endpoint({
  name: 'readChatSession',
  method: 'POST',
  path: '/api/sessions/{session_id}/read',
  tag,
  summary: 'Note that everything in a session was read',
  credential: 'bearer',
  params,
  success: [200, ChatSession],
  errors: [404],
})

export const moveChatSession = endpoint({
  name: 'moveChatSession',
  method: 'PUT',
  path: '/api/sessions/{session_id}/move',
  tag,
  summary: 'Put a session into a category, or take it out',
  credential: 'bearer',
  params,
  body: MoveChatSession,
  success: [200, ChatSession],
  errors: [404],
})

export const pinChatSession = endpoint({
  name: 'pinChatSession',
  method: 'PUT',
  path: '/api/sessions/{session_id}/pin',
  tag,
  summary: 'Pin a session, or unpin it',
  credential: 'bearer',
  params,
  success: [200, ChatSession],
  errors: [404],
})

export const archiveChatSession = endpoint({
  name: 'archiveChatSession',
  method: 'PUT',
  path: '/api/sessions/{session_id}/archive',
  tag,
  summary: 'Archive a session, or bring it back',
  credential: 'bearer',
  params,
  success: [200, ChatSession],
  errors: [404],
})
