import { type Static, Type } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'

export const Suggestions = Type.Object({
  suggestions: Type.Array(Type.String(), {
    description: 'Three to five short messages that the user could send.',
    examples: [['What do you remember about Lisbon?']],
  }),
})
export type Suggestions = Static<typeof Suggestions>

export const suggest = endpoint({
  name: 'suggest',
  queue: 'slow',
  method: 'GET',
  path: '/api/suggest',
  tag: 'Conversation',
  summary: 'Suggest next messages based on recent memories and conversations',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  success: [200, Suggestions],
})
