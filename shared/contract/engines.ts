import { Type } from '@sinclair/typebox'
import { CognitiveEngines, SwitchEngine } from '../schemas/engines.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Admin'

export const listEngines = endpoint({
  name: 'listEngines',
  method: 'GET',
  path: '/api/admin/cognitive_engines',
  tag,
  summary: 'What works on memories in the background, and how much waits for it',
  credential: 'bearer',
  adminOnly: true,
  success: [200, CognitiveEngines],
})

export const switchEngine = endpoint({
  name: 'switchEngine',
  method: 'POST',
  path: '/api/admin/cognitive_engines/{engine}/state',
  tag,
  summary: 'Switch an engine off, whose work then waits, or on again',
  credential: 'bearer',
  adminOnly: true,
  params: Type.Object({ engine: Type.String() }),
  body: SwitchEngine,
  success: [200, Type.Null()],
  errors: [404],
})
