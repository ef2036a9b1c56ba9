import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Timestamp } from './common.ts'
import { endpoint } from './endpoint.ts'

export const CognitiveEngine = Type.Object({
  engine: Type.String({ examples: ['graph'] }),
  about: Type.String({ description: 'What the engine does.' }),
  enabled: Type.Boolean(),
  reason: Nullable(Type.String({ description: 'The reason of the last change.' })),
  changed_at: Nullable(Timestamp()),
  pending: Type.Integer({ description: 'Number of memories in the queue of the engine.' }),
})
export type CognitiveEngine = Static<typeof CognitiveEngine>

export const CognitiveEngines = Type.Object({ engines: Type.Array(CognitiveEngine) })
export type CognitiveEngines = Static<typeof CognitiveEngines>

export const SwitchEngine = Type.Object({
  enabled: Type.Boolean(),
  reason: Type.String({
    minLength: 1,
    maxLength: 500,
    trim: true,
    description: 'The reason. It is recorded in the audit log.',
    examples: ['The model is being replaced.'],
  }),
})
export type SwitchEngine = Static<typeof SwitchEngine>

const tag = 'Admin'

export const listEngines = endpoint({
  name: 'listEngines',
  method: 'GET',
  path: '/api/admin/cognitive_engines',
  tag,
  summary: 'List the engines that process memories in the background, with their queue lengths',
  credential: 'bearer',
  adminOnly: true,
  success: [200, CognitiveEngines],
})

export const switchEngine = endpoint({
  name: 'switchEngine',
  method: 'POST',
  path: '/api/admin/cognitive_engines/{engine}/state',
  tag,
  summary: 'Enable or disable an engine; while it is disabled its work is queued',
  credential: 'bearer',
  adminOnly: true,
  params: Type.Object({ engine: Type.String({ examples: ['graph'] }) }),
  body: SwitchEngine,
  success: [200, Type.Null()],
  affects: ['listEngines', 'adminStats'],
  errors: { 404: ['engine_not_found'] },
})
