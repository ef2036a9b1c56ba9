import { Anchors } from '../schemas/identity.ts'
import { endpoint } from './endpoint.ts'

export const listAnchors = endpoint({
  name: 'listAnchors',
  method: 'GET',
  path: '/api/identity/anchors',
  tag: 'Identity',
  summary: 'What the memories say of the caller: name, home, work and more, with what was before',
  credential: 'bearer',
  success: [200, Anchors],
})
