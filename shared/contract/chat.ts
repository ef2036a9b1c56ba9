import { Type } from '@sinclair/typebox'
import { MODEL_ERRORS, OVER_QUOTA, OverQuota } from '../errors.ts'
import { ChatAnswer, ChatRequest, chatEvents, RegenerateRequest } from '../schemas/chat.ts'
import { endpoint, events } from './endpoint.ts'

const tag = 'Conversation'
const ChatEvents = events(chatEvents)

export const chat = endpoint({
  name: 'chat',
  method: 'POST',
  path: '/api/chat',
  tag,
  summary: 'Send a message and get the complete answer',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  body: ChatRequest,
  success: [200, ChatAnswer],
  errors: {
    403: ['tier_insufficient'],
    404: [
      'chat_session_not_found',
      'file_not_found',
      'attached_file_not_found',
      'attached_page_not_found',
    ],
    429: OVER_QUOTA,
    ...MODEL_ERRORS,
  },
  errorBodies: { 429: OverQuota },
})

export const chatStream = endpoint({
  name: 'chatStream',
  method: 'POST',
  path: '/api/chat/stream',
  tag,
  summary: 'Send a message and stream the answer',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  body: ChatRequest,
  success: [200, ChatEvents],
  errors: {
    403: ['tier_insufficient'],
    404: [
      'chat_session_not_found',
      'file_not_found',
      'attached_file_not_found',
      'attached_page_not_found',
    ],
    429: OVER_QUOTA,
    ...MODEL_ERRORS,
  },
  errorBodies: { 429: OverQuota },
})

export const regenerate = endpoint({
  name: 'regenerate',
  method: 'POST',
  path: '/api/chat/regenerate',
  tag,
  summary: 'Regenerate the last answer of a session; the old one is kept as a version',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  body: RegenerateRequest,
  success: [200, Type.Null()],
  streamed: ChatEvents,
  errors: {
    403: ['tier_insufficient'],
    404: [
      'chat_session_not_found',
      'file_not_found',
      'attached_file_not_found',
      'attached_page_not_found',
    ],
    409: ['nothing_to_regenerate'],
    429: OVER_QUOTA,
    ...MODEL_ERRORS,
  },
  errorBodies: { 429: OverQuota },
})
