import { type Static, Type } from '@sinclair/typebox'
import { Nullable, PageSize, Timestamp, Uuid, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'

export const ChatSession = Type.Object(
  {
    id: Uuid(),
    title: Type.String(),
    provider: Nullable(Type.String(), { description: 'The provider of the last answer.' }),
    model: Nullable(Type.String(), { description: 'The model of the last answer.' }),
    created_at: Timestamp(),
    updated_at: Timestamp({ description: 'When the messages or the title last changed.' }),
    message_count: Type.Integer(),
    last_message_preview: Nullable(
      Type.String({ description: 'The start of the last message, in one line.' }),
    ),
    category_id: Nullable(Uuid()),
    category_name: Nullable(Type.String()),
    category_color: Nullable(Type.String()),
    category_icon: Nullable(Type.String()),
    is_pinned: Type.Boolean(),
    is_archived: Type.Boolean(),
    initiated_by: Nullable(Type.String(), {
      description: 'What started the session; null if the user did.',
    }),
    unread: Type.Boolean({ description: 'Whether there are messages that the user has not read.' }),
  },
  { $id: 'ChatSession' },
)
export type ChatSession = Static<typeof ChatSession>

const Title = (options = {}) =>
  Type.String({
    trim: true,
    minLength: 1,
    maxLength: 200,
    examples: ['A trip to Paris'],
    ...options,
  })

export const CreateChatSession = Type.Object(
  {
    title: Type.Optional(
      Nullable(Title(), { trim: true, description: 'Default: derived from the first message.' }),
    ),
  },
  { examples: [{ title: 'A trip to Paris' }] },
)
export type CreateChatSession = Static<typeof CreateChatSession>

export const UpdateChatSession = Type.Object({ title: Title() })

export const MoveChatSession = Type.Object({
  category_id: Nullable(Uuid(), { description: 'Null removes the session from its category.' }),
})

export const ChatSessionQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      trim: true,
      maxLength: 200,
      description: 'Words to find in the title or in one message, in any order.',
    }),
  ),
  category_id: Type.Optional(Uuid()),
  archived: withDefault(Type.Boolean({ description: 'Return only archived sessions.' }), false),
  before: Type.Optional(Uuid({ description: 'The last session of the previous page.' })),
  limit: PageSize(50),
})
export type ChatSessionQuery = Static<typeof ChatSessionQuery>

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
  affects: ['listChatSessions', 'getChatSession'],
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
  affects: ['listChatSessions'],
  errors: { 404: ['chat_session_not_found'] },
})

export const readChatSession = endpoint({
  name: 'readChatSession',
  method: 'POST',
  path: '/api/sessions/{session_id}/read',
  tag,
  summary: 'Mark a chat session as read',
  credential: 'bearer',
  params,
  isIdempotent: true,
  success: [200, ChatSession],
  affects: ['getChatSession', 'listChatSessions'],
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
  isIdempotent: true,
  success: [200, ChatSession],
  affects: ['listChatSessions', 'getChatSession'],
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
  affects: ['listChatSessions', 'getChatSession'],
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
  affects: ['listChatSessions', 'getChatSession'],
  errors: { 404: ['chat_session_not_found'] },
})

export const branchChatSession = endpoint({
  name: 'branchChatSession',
  method: 'POST',
  path: '/api/sessions/{session_id}/branch',
  tag,
  summary: 'Copy a chat session up to a message into a new one, to go on differently from there',
  credential: 'bearer',
  params,
  body: Type.Object({
    message_id: Uuid({ description: 'The last message to copy.' }),
    is_included: withDefault(
      Type.Boolean({ description: '`false` copies those before the message only.' }),
      true,
    ),
  }),
  success: [201, ChatSession],
  affects: ['listChatSessions'],
  errors: { 404: ['chat_session_not_found', 'chat_message_not_found'], 409: ['cap_reached'] },
})

export const titleChatSession = endpoint({
  name: 'titleChatSession',
  method: 'POST',
  path: '/api/sessions/{session_id}/title',
  tag,
  summary:
    'Let a model name a chat session by its first messages. Without a model, and for a session that the user named, nothing changes.',
  credential: 'bearer',
  params,
  success: [200, ChatSession],
  affects: ['listChatSessions', 'getChatSession'],
  errors: { 404: ['chat_session_not_found'], 429: ['chat_titles_rate_limited'] },
})
