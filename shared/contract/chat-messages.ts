import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, PageSize, Timestamp, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'

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

export const CitedMemory = Type.Object({
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

export const listChatMessages = endpoint({
  name: 'listChatMessages',
  method: 'GET',
  path: '/api/sessions/{session_id}/messages',
  tag,
  summary: 'List the latest messages of a chat session, oldest first',
  credential: 'bearer',
  params: Type.Object({ session_id: Uuid() }),
  query: ChatMessageQuery,
  success: [200, Type.Array(ChatMessage)],
  errors: { 404: ['chat_session_not_found', 'chat_message_not_found'] },
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
