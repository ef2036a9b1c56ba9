import { Suggestions } from '../schemas/suggest.ts'
import { endpoint } from './endpoint.ts'

export const suggest = endpoint({
  name: 'suggest',
  method: 'GET',
  path: '/api/suggest',
  tag: 'Conversation',
  summary: 'What could be said or asked next, from what was remembered and said last',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  success: [200, Suggestions],
})
