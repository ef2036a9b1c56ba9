import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { ANSWER_ERRORS, OverQuota } from '../errors.ts'
import { ChatMessage, ContentBlock, TokenUsage } from './chat-messages.ts'
import { MAX_TEXT_LENGTH, Nullable, OneOf, Uuid, withDefault } from './common.ts'
import { endpoint, events, type StreamEventOf } from './endpoint.ts'
import { RecalledMemory } from './recall.ts'

export const Depth = OneOf(['quick', 'deep', 'sage'])
export type Depth = Static<typeof Depth>

/** The tools that a model may be offered. */
export const TOOLS = ['recall', 'remember', 'fetch_url'] as const
export type ToolName = (typeof TOOLS)[number]

const messageFields = {
  message: Type.String({
    maxLength: MAX_TEXT_LENGTH,
    description:
      'The text of the message. It may be empty if files or content blocks are attached.',
    examples: ['What does Ada drink?'],
  }),
  provider: withDefault(
    Type.String({
      maxLength: 100,
      description:
        'The provider of the answer: `openrouter`, `openai`, `ollama` or `local`. If it is not configured, a configured one answers.',
    }),
    'openrouter',
  ),
  file_ids: withDefault(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 20,
      description: 'Uploaded files whose text or image is attached to the message.',
    }),
    [],
  ),
  content_blocks: withDefault(
    Type.Array(ContentBlock, { maxItems: 20, description: 'Further parts of the message.' }),
    [],
  ),
  tools: withDefault(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 20,
      description:
        'The tools that the model may use: `recall`, `remember`, `fetch_url`. Other names are ignored.',
    }),
    [],
  ),
  url_snapshot_hash: Type.Optional(
    Nullable(Type.String({ maxLength: 100 }), {
      description:
        'The `snapshot_hash` of a page read by `POST /api/url`; its text is attached to the message.',
    }),
  ),
  deep: withDefault(Type.Boolean({ description: 'The same as `depth: deep`.' }), false),
  depth: Type.Optional(
    Nullable(Depth, { description: 'How much is recalled, and how often. Default: `quick`.' }),
  ),
  existing_reflex_id: Type.Optional(
    Nullable(Type.String({ maxLength: 100 }), {
      description: 'The reflex that the message is about.',
    }),
  ),
  geo_lat: Type.Optional(
    Nullable(Type.Number({ minimum: -90, maximum: 90 }), {
      description: 'The latitude of the user, in degrees north.',
    }),
  ),
  geo_lon: Type.Optional(
    Nullable(Type.Number({ minimum: -180, maximum: 180 }), {
      description: 'The longitude of the user, in degrees east.',
    }),
  ),
}

const SessionId = (description: string) =>
  Type.String({
    maxLength: 100,
    description,
    examples: ['01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'],
  })

export const ChatRequest = Type.Object({
  ...messageFields,
  session_id: Type.Optional(
    Nullable(SessionId('The session to continue.'), {
      description: 'Default: a new session.',
    }),
  ),
})
export type ChatRequest = Static<typeof ChatRequest>

export const RegenerateRequest = Type.Object({
  ...messageFields,
  session_id: SessionId('The session whose last answer is regenerated.'),
})
export type RegenerateRequest = Static<typeof RegenerateRequest>

const Memories = Type.Array(RecalledMemory, {
  description: 'The memories recalled for the answer, best first.',
})

export const ChatAnswer = Type.Object({
  session_id: Uuid(),
  message: ChatMessage,
  memories: Memories,
})
export type ChatAnswer = Static<typeof ChatAnswer>

export const ToolUse = Type.Object({
  name: Type.String(),
  id: Type.String({ description: 'The id of the tool call; all its events carry it.' }),
  state: OneOf(['running', 'done', 'failed', 'proposed'], {
    description: '`proposed`: a URL in the message that is read once the user agrees.',
  }),
  input: Type.Unknown(),
})
export type ToolUse = Static<typeof ToolUse>

/** The events that the streams of chat and talk share. `start` and `done` differ. */
export const answerEvents = {
  memories: Type.Object({ memories: Memories }),
  delta: Type.Object({
    text: Type.String({ description: 'The next part of the answer.' }),
  }),
  tool: ToolUse,
}

export const answerStart = {
  message_id: Uuid({ description: 'The id of the answer.' }),
  provider: Type.String({ description: 'The provider of the answer.' }),
  model: Nullable(Type.String(), { description: 'The model of the answer; null for `local`.' }),
}

export const answerDone = <T extends Record<string, TSchema>>(fields: T) =>
  Type.Object({ ...fields, usage: TokenUsage })

export const chatEvents = {
  start: Type.Object({ session_id: Uuid(), ...answerStart }),
  ...answerEvents,
  done: answerDone({ message: ChatMessage }),
}
export type ChatEvent = StreamEventOf<typeof chatEvents>

const tag = 'Conversation'
const ChatEvents = events(chatEvents)

const chatErrors = {
  403: ['tier_insufficient'],
  404: [
    'chat_session_not_found',
    'file_not_found',
    'attached_file_not_found',
    'attached_page_not_found',
  ],
  ...ANSWER_ERRORS,
}

export const chat = endpoint({
  name: 'chat',
  queue: 'slow',
  method: 'POST',
  path: '/api/chat',
  tag,
  summary: 'Send a message and get the complete answer',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  body: ChatRequest,
  success: [200, ChatAnswer],
  errors: chatErrors,
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
  errors: chatErrors,
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
  errors: { ...chatErrors, 409: ['nothing_to_regenerate'] },
  errorBodies: { 429: OverQuota },
})

export const listChatModels = endpoint({
  name: 'listChatModels',
  method: 'GET',
  path: '/api/chat/models',
  tag: 'Conversation',
  summary: 'List the models that can answer, by the `provider` that selects them',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  success: [
    200,
    Type.Object({
      models: Type.Array(
        Type.Object({
          provider: Type.String({ examples: ['openrouter'] }),
          model: Nullable(Type.String(), {
            description: 'Null for `local`, which quotes memories without a model.',
          }),
          is_available: Type.Boolean({
            description: '`false` after failures: another one answers meanwhile.',
          }),
        }),
        { description: 'In the order in which they answer.' },
      ),
    }),
  ],
})
