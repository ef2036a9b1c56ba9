import { ExchangeHandoff, HandoffSignIn, HandoffToken, MintHandoff } from '../schemas/handoff.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Sessions'

export const mintHandoff = endpoint({
  name: 'mintHandoff',
  method: 'POST',
  path: '/api/auth/handoff/mint',
  tag,
  summary: 'Create a token that signs the user in on another origin',
  credential: 'browser',
  body: MintHandoff,
  success: [200, HandoffToken],
  errors: { 400: ['handoff_origin_not_allowed'], 403: ['origin_not_allowed'] },
})

export const exchangeHandoff = endpoint({
  name: 'exchangeHandoff',
  method: 'POST',
  path: '/api/auth/handoff/exchange',
  tag,
  summary: 'Exchange a handoff token for an access token, from the origin it was created for',
  credential: 'none',
  body: ExchangeHandoff,
  success: [200, HandoffSignIn],
  errors: { 400: ['bad_request_value', 'invalid_handoff_token'], 403: ['account_disabled'] },
})
