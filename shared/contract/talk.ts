import { type Static, Type } from '@sinclair/typebox'
import { ANSWER_ERRORS, OverQuota } from '../errors.ts'
import { AgentDefinition, AgentSlug } from './agents.ts'
import { answerDone, answerEvents, answerStart } from './chat.ts'
import { MAX_TEXT_LENGTH, Nullable, Timestamp, Uuid, withDefault } from './common.ts'
import { endpoint, events, type StreamEventOf } from './endpoint.ts'
import { RecalledMemory, ScopeMode } from './recall.ts'

const { self_definition, mandate, boundaries, agent_type } = AgentDefinition.properties

export const TalkRequest = Type.Object({
  message: Type.String({
    minLength: 1,
    maxLength: MAX_TEXT_LENGTH,
    pattern: '\\S',
    description: 'The message of the agent.',
    examples: ['The release is planned for Friday.'],
  }),
  agent_slug: Type.Optional(
    Nullable(AgentSlug(), { description: 'The agent that sends the message. Default: `default`.' }),
  ),
  current_task: Type.Optional(
    Nullable(Type.String({ maxLength: 4_000 }), { description: 'The current task of the agent.' }),
  ),
  scope_mode: withDefault(ScopeMode, 'tiered'),
  proposed_self_definition: Type.Optional(self_definition),
  proposed_mandate: Type.Optional(mandate),
  proposed_boundaries: Type.Optional(Nullable(boundaries)),
  proposed_agent_type: Type.Optional(agent_type),
})
export type TalkRequest = Static<typeof TalkRequest>

export const TalkStreamQuery = Type.Object({
  progress: withDefault(
    Type.Boolean({
      description:
        'Send `memories` before the model is asked, as the first event. If no model answers, the stream ends with `error` instead of a status of its own.',
    }),
    false,
  ),
})

export const TalkAnswer = Type.Object({
  agent_slug: Type.String(),
  icog_response: Type.String({ description: 'The answer of the service.' }),
  memories: Type.Array(RecalledMemory, {
    description: 'The memories recalled for the answer, best first.',
  }),
  created_at: Timestamp(),
})
export type TalkAnswer = Static<typeof TalkAnswer>

/** An entry of the agent's timeline. */
export const Exchange = Type.Object({
  id: Uuid(),
  agent_slug: Type.String(),
  agent_message: Type.String(),
  icog_response: Type.String(),
  memories: TalkAnswer.properties.memories,
  created_at: Timestamp(),
})
export type Exchange = Static<typeof Exchange>

export const talkEvents = {
  start: Type.Object({ agent_slug: Type.String(), ...answerStart }),
  ...answerEvents,
  done: answerDone({ exchange: Exchange }),
}
export type TalkEvent = StreamEventOf<typeof talkEvents>

const tag = 'Conversation'

export const talk = endpoint({
  name: 'talk',
  queue: 'slow',
  method: 'POST',
  path: '/api/talk',
  tag,
  summary: 'Send a message as an agent and get the complete answer',
  credential: 'bearer',
  body: TalkRequest,
  success: [200, TalkAnswer],
  errors: { 409: ['cap_reached'], ...ANSWER_ERRORS },
  errorBodies: { 429: OverQuota },
})

export const talkStream = endpoint({
  name: 'talkStream',
  method: 'POST',
  path: '/api/talk/stream',
  tag,
  summary: 'Send a message as an agent and stream the answer',
  credential: 'bearer',
  query: TalkStreamQuery,
  body: TalkRequest,
  success: [200, events(talkEvents)],
  errors: { 409: ['cap_reached'], ...ANSWER_ERRORS },
  errorBodies: { 429: OverQuota },
})
