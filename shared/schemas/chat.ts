import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { ChatMessage, ContentBlock, TokenUsage } from './chat-sessions.ts'
import { Nullable, OneOf, Uuid, withDefault } from './common.ts'
import { RecalledMemory } from './memory.ts'

export const Depth = OneOf(['quick', 'deep', 'sage'])
export type Depth = Static<typeof Depth>

/** What a model may be offered to do while it answers. */
export const TOOLS = ['recall', 'remember', 'fetch_url'] as const
export type ToolName = (typeof TOOLS)[number]

const said = {
  message: Type.String({
    maxLength: 32_000,
    description: 'What is said. It may be empty where files or blocks come with it.',
    examples: ['What does Ada drink?'],
  }),
  provider: withDefault(
    Type.String({
      maxLength: 100,
      description:
        'Who is to answer: `openrouter`, `openai`, `ollama` or `local`. One that is not configured is whoever is.',
    }),
    'openrouter',
  ),
  file_ids: withDefault(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 20,
      description: 'Files that were uploaded before: their text or picture goes with it.',
    }),
    [],
  ),
  content_blocks: withDefault(
    Type.Array(ContentBlock, { maxItems: 20, description: 'What else belongs to it.' }),
    [],
  ),
  tools: withDefault(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 20,
      description:
        'What a model may do while it answers: `recall`, `remember`, `fetch_url`. Others are ignored.',
    }),
    [],
  ),
  url_snapshot_hash: Type.Optional(
    Nullable(Type.String({ maxLength: 100 }), {
      description: 'A page that was read by `POST /api/url`: its text goes with it.',
    }),
  ),
  deep: withDefault(Type.Boolean({ description: 'The same as the depth `deep`.' }), false),
  depth: Type.Optional(
    Nullable(Depth, { description: 'How much is recalled, and how often: `quick` if left out.' }),
  ),
  existing_reflex_id: Type.Optional(
    Nullable(Type.String({ maxLength: 100 }), { description: 'The reflex that is spoken of.' }),
  ),
  geo_lat: Type.Optional(
    Nullable(Type.Number({ minimum: -90, maximum: 90 }), {
      description: 'Where the person is, in degrees north.',
    }),
  ),
  geo_lon: Type.Optional(
    Nullable(Type.Number({ minimum: -180, maximum: 180 }), { description: 'In degrees east.' }),
  ),
}

const SessionId = (description: string) => Type.String({ maxLength: 100, description })

export const ChatRequest = Type.Object({
  ...said,
  session_id: Type.Optional(
    Nullable(SessionId('The session to go on with.'), {
      description: 'Left out, a session begins.',
    }),
  ),
})
export type ChatRequest = Static<typeof ChatRequest>

/** Contract 4.7. */
export const RegenerateRequest = Type.Object({
  ...said,
  session_id: SessionId('The session whose last answer is given anew.'),
})
export type RegenerateRequest = Static<typeof RegenerateRequest>

const Memories = Type.Array(RecalledMemory, {
  description: 'The memories that were recalled for the answer, best first.',
})

export const ChatAnswer = Type.Object({
  session_id: Uuid(),
  message: ChatMessage,
  memories: Memories,
})
export type ChatAnswer = Static<typeof ChatAnswer>

/** The events of a conversation's stream, save where it begins and how it is done. */
export const answering = {
  memories: Type.Object({ memories: Memories }),
  delta: Type.Object({
    text: Type.String({ description: 'What comes next: all of them together are the answer.' }),
  }),
  tool: Type.Object({
    name: Type.String(),
    id: Type.String({ description: 'The same for all that is told of one call.' }),
    state: OneOf(['running', 'done', 'failed', 'proposed'], {
      description: '`proposed`: an address in the message that is read once somebody agrees.',
    }),
    input: Type.Unknown(),
  }),
}

export const Answerer = {
  message_id: Uuid({ description: 'The answer’s.' }),
  provider: Type.String({ description: 'Who answers.' }),
  model: Nullable(Type.String(), { description: 'Null for `local`.' }),
}

export const doneWith = <T extends Record<string, TSchema>>(what: T) =>
  Type.Object({ ...what, usage: TokenUsage })

export const chatEvents = {
  start: Type.Object({ session_id: Uuid(), ...Answerer }),
  ...answering,
  done: doneWith({ message: ChatMessage }),
}
