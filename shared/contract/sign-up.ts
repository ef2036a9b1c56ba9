import { type Static, Type } from '@sinclair/typebox'
import { OneOf } from './common.ts'
import { endpoint } from './endpoint.ts'

export const SIGN_UP_MODES = ['open', 'invite', 'closed'] as const
export type SignUpMode = (typeof SIGN_UP_MODES)[number]

/** Why an account cannot be created: reasons of the 403. */
export const SIGN_UP_REFUSALS = ['sign_up_closed', 'sign_up_needs_invite', 'sign_up_domain']

export const SignUpPolicy = Type.Object({
  mode: OneOf(SIGN_UP_MODES, {
    description:
      '`open`: people create accounts; `invite`: only people whose address an organization has invited, or is at a domain of the server; `closed`: none.',
  }),
  has_domains: Type.Boolean({
    description:
      'Whether the server limits accounts to addresses at its domains, and to invited ones.',
  }),
})
export type SignUpPolicy = Static<typeof SignUpPolicy>

export const signUpPolicy = endpoint({
  name: 'signUpPolicy',
  method: 'GET',
  path: '/api/auth/signup',
  tag: 'Account',
  summary: 'Get who can create an account on this server',
  credential: 'none',
  success: [200, SignUpPolicy],
})
