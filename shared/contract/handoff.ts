import { ExchangeHandoff, HandedOff, HandoffToken, MintHandoff } from '../schemas/sessions.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Sessions'

export const mintHandoff = endpoint({
  name: 'mintHandoff',
  method: 'POST',
  path: '/api/auth/handoff/mint',
  tag,
  summary: 'A token that signs the person in on another origin',
  credential: 'browser',
  body: MintHandoff,
  success: [200, HandoffToken],
  errors: [400, 403],
})

export const exchangeHandoff = endpoint({
  name: 'exchangeHandoff',
  method: 'POST',
  path: '/api/auth/handoff/exchange',
  tag,
  summary: 'Redeem a handoff token, from the origin it is for',
  credential: 'none',
  body: ExchangeHandoff,
  success: [200, HandedOff],
  errors: [400],
})
