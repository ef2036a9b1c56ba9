import { type Static, Type } from '@sinclair/typebox'
import { Limit, Nullable, OneOf, Timestamp, Uuid, withDefault } from './common.ts'

/** What lists of sessions show (contract, section 2). */
export const ChatSession = Type.Object({
  id: Uuid(),
  title: Type.String(),
  provider: Nullable(Type.String(), { description: 'Who gave the last answer.' }),
  model: Nullable(Type.String(), { description: 'The model that gave it.' }),
  created_at: Timestamp(),
  updated_at: Timestamp({ description: 'When its messages or its title last changed.' }),
  message_count: Type.Integer(),
  last_message_preview: Nullable(Type.String({ description: 'Its beginning, in one line.' })),
  category_id: Nullable(Uuid()),
  category_name: Nullable(Type.String()),
  category_color: Nullable(Type.String()),
  category_icon: Nullable(Type.String()),
  is_pinned: Type.Boolean(),
  is_archived: Type.Boolean(),
  initiated_by: Nullable(Type.String(), {
    description: 'What began it; null where the person did.',
  }),
  unread: Type.Boolean({ description: 'Something was said that the person has yet to read.' }),
})
export type ChatSession = Static<typeof ChatSession>

const Title = (options = {}) =>
  Type.String({
    trim: true,
    minLength: 1,
    maxLength: 200,
    examples: ['A trip to Paris'],
    ...options,
  })

export const CreateChatSession = Type.Object({
  title: Type.Optional(
    Nullable(Title(), { trim: true, description: 'Left out, the first message gives it one.' }),
  ),
})
export type CreateChatSession = Static<typeof CreateChatSession>

export const UpdateChatSession = Type.Object({ title: Title() })

export const MoveChatSession = Type.Object({
  category_id: Nullable(Uuid(), { description: 'Null takes it out of its category.' }),
})

export const ChatSessionQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      trim: true,
      maxLength: 200,
      description: 'Words that its title has, or one of its messages, in any order.',
    }),
  ),
  category_id: Type.Optional(Uuid()),
  archived: withDefault(
    Type.Boolean({ description: 'Those that were archived, and no others.' }),
    false,
  ),
  before: Type.Optional(Uuid({ description: 'The last session of the page before.' })),
  limit: Limit(50),
})
export type ChatSessionQuery = Static<typeof ChatSessionQuery>

/** A part of a message beyond its text. */
export const ContentBlock = Type.Object({
  type: OneOf(['text', 'image_url', 'file']),
  text: Type.Optional(Type.String({ maxLength: 100_000, description: 'Of a `text`.' })),
  image_url: Type.Optional(
    Type.Object(
      { url: Type.String({ description: 'A `data:` URL of a picture.' }) },
      { description: 'Of an `image_url`.' },
    ),
  ),
  file_id: Type.Optional(Uuid({ description: 'Of a `file`: one that was uploaded.' })),
})
export type ContentBlock = Static<typeof ContentBlock>

export const TokenUsage = Type.Object({
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  estimated: Type.Boolean({ description: 'Reckoned from the text: the provider did not count.' }),
})
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

export const ChatMessage = Type.Object({
  id: Uuid(),
  session_id: Uuid(),
  role: OneOf(['user', 'assistant']),
  content: Type.String(),
  content_blocks: Type.Array(ContentBlock),
  file_ids: Type.Array(Uuid()),
  url_snapshot_hash: Nullable(Type.String({ description: 'The page whose text went with it.' })),
  reply_to: Nullable(Uuid({ description: 'The message that an answer answers.' })),
  provider: Nullable(Type.String()),
  model: Nullable(Type.String()),
  usage: Nullable(TokenUsage),
  memories: Type.Array(CitedMemory, {
    description: 'What was recalled for an answer, save what was forgotten since.',
  }),
  is_partial: Type.Boolean({ description: 'Whoever asked left, or the answer broke off.' }),
  versions: Type.Array(ChatMessageVersion, {
    description: 'The answers that this one took the place of, oldest first.',
  }),
  created_at: Timestamp(),
})
export type ChatMessage = Static<typeof ChatMessage>

export const ChatMessageQuery = Type.Object({
  before: Type.Optional(Uuid({ description: 'The first message of the page after this one.' })),
  limit: Limit(50),
})
export type ChatMessageQuery = Static<typeof ChatMessageQuery>
