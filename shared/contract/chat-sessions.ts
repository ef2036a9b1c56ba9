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
  summary: 'List chat sessions, pinned ones first, then the most recently changed',
  credential: 'bearer',
  query: ChatSessionQuery,
  success: [200, Type.Array(ChatSession)],
  errors: { 404: ['chat_session_not_found'] },
})

export const createChatSession = endpoint({
  name: 'createChatSession',
  method: 'POST',
  path: '/api/sessions',
  tag,
  summary: 'Create a chat session',
  credential: 'bearer',
  body: CreateChatSession,
  success: [201, ChatSession],
  errors: { 409: ['cap_reached'] },
})

export const getChatSession = endpoint({
  name: 'getChatSession',
  method: 'GET',
  path: '/api/sessions/{session_id}',
  tag,
  summary: 'Get a chat session without its messages',
  credential: 'bearer',
  params,
  success: [200, ChatSession],
  errors: { 404: ['chat_session_not_found'] },
})

export const updateChatSession = endpoint({
  name: 'updateChatSession',
  method: 'PATCH',
  path: '/api/sessions/{session_id}',
  tag,
  summary: 'Change the title of a chat session',
  credential: 'bearer',
  params,
  body: UpdateChatSession,
  success: [200, ChatSession],
  errors: { 404: ['chat_session_not_found'] },
})

export const deleteChatSession = endpoint({
  name: 'deleteChatSession',
  method: 'DELETE',
  path: '/api/sessions/{session_id}',
  tag,
  summary: 'Delete a chat session and its messages permanently',
  credential: 'bearer',
  params,
  success: [204, null],
  errors: { 404: ['chat_session_not_found'] },
})

export const listChatMessages = endpoint({
  name: 'listChatMessages',
  method: 'GET',
  path: '/api/sessions/{session_id}/messages',
  tag,
  summary: 'List the latest messages of a chat session, oldest first',
  credential: 'bearer',
  params,
  query: ChatMessageQuery,
  success: [200, Type.Array(ChatMessage)],
  errors: { 404: ['chat_session_not_found', 'chat_message_not_found'] },
})

export const readChatSession = endpoint({
  name: 'readChatSession',
  method: 'POST',
  path: '/api/sessions/{session_id}/read',
  tag,
  summary: 'Mark a chat session as read',
  credential: 'bearer',
  params,
  success: [200, ChatSession],
  errors: { 404: ['chat_session_not_found'] },
})

export const moveChatSession = endpoint({
  name: 'moveChatSession',
  method: 'PUT',
  path: '/api/sessions/{session_id}/move',
  tag,
  summary: 'Move a chat session into a category, or out of it',
  credential: 'bearer',
  params,
  body: MoveChatSession,
  success: [200, ChatSession],
  errors: { 404: ['chat_session_not_found', 'category_not_found'] },
})

export const pinChatSession = endpoint({
  name: 'pinChatSession',
  method: 'PUT',
  path: '/api/sessions/{session_id}/pin',
  tag,
  summary: 'Pin or unpin a chat session',
  credential: 'bearer',
  params,
  success: [200, ChatSession],
  errors: { 404: ['chat_session_not_found'] },
})

export const archiveChatSession = endpoint({
  name: 'archiveChatSession',
  method: 'PUT',
  path: '/api/sessions/{session_id}/archive',
  tag,
  summary: 'Archive or unarchive a chat session',
  credential: 'bearer',
  params,
  success: [200, ChatSession],
  errors: { 404: ['chat_session_not_found'] },
})
