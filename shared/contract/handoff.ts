import { type Static, Type } from '@sinclair/typebox'
import { Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'

export const MintHandoff = Type.Object({
  target_origin: Type.String({
    description: 'One of the allowed origins.',
    examples: ['https://app.example.com'],
  }),
})
export type MintHandoff = Static<typeof MintHandoff>

export const HandoffToken = Type.Object({
  token: Type.String({
    description: 'Can be used once, within 60 seconds, from the target origin.',
  }),
})
export type HandoffToken = Static<typeof HandoffToken>

export const ExchangeHandoff = Type.Object({
  token: Type.String({
    minLength: 1,
    badRequest: 'Invalid handoff token',
    examples: ['9vXq2mLk7Rz4TbWc8HsJ1pNd6FyGa3Ue'],
  }),
})
export type ExchangeHandoff = Static<typeof ExchangeHandoff>

export const HandoffSignIn = Type.Object({
  user_id: Uuid(),
  email: Type.String(),
  access_token: Type.String(),
})
export type HandoffSignIn = Static<typeof HandoffSignIn>

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
