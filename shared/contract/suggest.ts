import { Suggestions } from '../schemas/suggest.ts'
import { endpoint } from './endpoint.ts'

export const suggest = endpoint({
  name: 'suggest',
  method: 'GET',
  path: '/api/suggest',
  tag: 'Conversation',
  summary: 'Suggest next messages based on recent memories and conversations',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  success: [200, Suggestions],
})
