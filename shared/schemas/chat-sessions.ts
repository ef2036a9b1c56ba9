import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, PageSize, Timestamp, Uuid, withDefault } from './common.ts'

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

export const ChatMessageQuery = Type.Object({
  before: Type.Optional(
    Uuid({ description: 'The first message of the page that follows this one.' }),
  ),
  limit: PageSize(50),
})
export type ChatMessageQuery = Static<typeof ChatMessageQuery>
