import { type Static, Type } from '@sinclair/typebox'
import { AgentDefinition, AgentSlug } from './agents.ts'
import { Answerer, answering, doneWith } from './chat.ts'
import { Nullable, Timestamp, Uuid, withDefault } from './common.ts'
import { RecalledMemory, ScopeMode } from './memory.ts'

const { self_definition, mandate, boundaries, agent_type } = AgentDefinition.properties

/** Contract 4.7. */
export const TalkRequest = Type.Object({
  message: Type.String({
    minLength: 1,
    maxLength: 32_000,
    pattern: '\\S',
    description: 'What the agent says.',
    examples: ['The release is planned for Friday.'],
  }),
  agent_slug: Type.Optional(
    Nullable(AgentSlug(), { description: 'Who speaks; `default` if left out.' }),
  ),
  current_task: Type.Optional(
    Nullable(Type.String({ maxLength: 4_000 }), { description: 'What it is working on.' }),
  ),
  scope_mode: withDefault(ScopeMode, 'tiered'),
  proposed_self_definition: Type.Optional(self_definition),
  proposed_mandate: Type.Optional(mandate),
  proposed_boundaries: Type.Optional(Nullable(boundaries)),
  proposed_agent_type: Type.Optional(agent_type),
})
export type TalkRequest = Static<typeof TalkRequest>

export const TalkAnswer = Type.Object({
  agent_slug: Type.String(),
  icog_response: Type.String({ description: 'What the service answers.' }),
  memories: Type.Array(RecalledMemory, {
    description: 'The memories that were recalled for the answer, best first.',
  }),
  created_at: Timestamp(),
})
export type TalkAnswer = Static<typeof TalkAnswer>

/** What was said, as the agent's timeline keeps it. */
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
  start: Type.Object({ agent_slug: Type.String(), ...Answerer }),
  ...answering,
  done: doneWith({ exchange: Exchange }),
}
