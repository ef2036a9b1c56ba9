import { type Static, Type } from '@sinclair/typebox'
import { Uuid } from './common.ts'

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
