import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, PageSize, Timestamp, Uuid, withDefault } from './common.ts'
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

/** A part of a message in addition to its text. */
export const ContentBlock = Type.Object({
  type: OneOf(['text', 'image_url', 'file']),
  text: Type.Optional(Type.String({ maxLength: 100_000, description: 'For type `text`.' })),
  image_url: Type.Optional(
    Type.Object(
      { url: Type.String({ description: 'A `data:` URL of an image.' }) },
      { description: 'For type `image_url`.' },
    ),
  ),
  file_id: Type.Optional(Uuid({ description: 'For type `file`: the id of an uploaded file.' })),
})
export type ContentBlock = Static<typeof ContentBlock>

export const TokenUsage = Type.Object(
  {
    input_tokens: Type.Integer(),
    output_tokens: Type.Integer(),
    estimated: Type.Boolean({
      description:
        'Whether the numbers are estimated from the text, because the provider returned none.',
    }),
  },
  { $id: 'TokenUsage' },
)
export type TokenUsage = Static<typeof TokenUsage>

const CitedMemory = Type.Object({
  memory_id: Uuid(),
  content_text: Type.String(),
  score: Type.Optional(Type.Number()),
})
export type CitedMemory = Static<typeof CitedMemory>

export const ChatMessageVersion = Type.Object({
  content: Type.String(),
  provider: Nullable(Type.String()),
  model: Nullable(Type.String()),
  is_partial: Type.Boolean(),
  created_at: Timestamp(),
})
export type ChatMessageVersion = Static<typeof ChatMessageVersion>

export const ChatMessage = Type.Object(
  {
    id: Uuid(),
    session_id: Uuid(),
    role: OneOf(['user', 'assistant']),
    content: Type.String(),
    content_blocks: Type.Array(ContentBlock),
    file_ids: Type.Array(Uuid()),
    url_snapshot_hash: Nullable(
      Type.String({ description: 'The page whose text was attached to the message.' }),
    ),
    reply_to: Nullable(Uuid({ description: 'The message that this one answers.' })),
    provider: Nullable(Type.String()),
    model: Nullable(Type.String()),
    usage: Nullable(TokenUsage),
    memories: Type.Array(CitedMemory, {
      description: 'The memories recalled for the answer, except those deleted since.',
    }),
    is_partial: Type.Boolean({
      description: 'Whether the answer is incomplete: the client disconnected or the model failed.',
    }),
    versions: Type.Array(ChatMessageVersion, {
      description: 'The earlier versions of this answer, oldest first.',
    }),
    created_at: Timestamp(),
  },
  { $id: 'ChatMessage' },
)
export type ChatMessage = Static<typeof ChatMessage>

const Tokens = (description: string) => Type.Integer({ description })

/** Everything that a model was given for an answer. Tokens are estimated on the safe side. */
export const MessageContext = Type.Object(
  {
    window: Tokens('The context window, of which a part is left for the answer.'),
    tokens: Type.Object({
      instructions: Tokens('The instructions of svc, of the user and of an agent.'),
      tools: Tokens('The descriptions of the tools.'),
      message: Tokens('The message that was answered.'),
      images: Tokens('Its images.'),
      memories: Tokens('The recalled memories.'),
      attachments: Tokens('The texts of files, pages and notes.'),
      history: Tokens('The earlier messages of the chat.'),
    }),
    memories_found: Type.Integer({ description: 'Memories that were recalled.' }),
    memories_given: Type.Integer({ description: 'Memories that fitted.' }),
    messages_given: Type.Integer({ description: 'Earlier messages that fitted.' }),
    messages_left_out: Type.Integer({ description: 'Earlier messages that did not.' }),
    instructions: Type.String({ description: 'The custom instructions of the user at that time.' }),
    tools: Type.Array(Type.String(), { description: 'The names of the tools that it could call.' }),
    memories: Type.Array(CitedMemory, {
      description: 'The memories that it was given, also by its tools, except those deleted since.',
    }),
  },
  { $id: 'MessageContext' },
)
export type MessageContext = Static<typeof MessageContext>

export const ChatMessageQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      trim: true,
      minLength: 1,
      maxLength: 200,
      description: 'Only messages that contain this text, in any case of its letters.',
    }),
  ),
  before: Type.Optional(
    Uuid({ description: 'The first message of the page that follows this one.' }),
  ),
  limit: PageSize(50),
})
export type ChatMessageQuery = Static<typeof ChatMessageQuery>

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

export const getMessageContext = endpoint({
  name: 'getMessageContext',
  method: 'GET',
  path: '/api/sessions/{session_id}/messages/{message_id}/context',
  tag,
  summary: 'Get what the model was given for an answer',
  credential: 'bearer',
  params: Type.Object({ session_id: Uuid(), message_id: Uuid() }),
  success: [200, MessageContext],
  errors: { 404: ['chat_session_not_found', 'chat_message_not_found', 'context_not_found'] },
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
  errors: { 404: ['chat_session_not_found'] },
})
