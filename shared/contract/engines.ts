import { Type } from '@sinclair/typebox'
import { CognitiveEngines, SwitchEngine } from '../schemas/engines.ts'
import { endpoint } from './endpoint.ts'

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
  errors: { 404: ['engine_not_found'] },
})
