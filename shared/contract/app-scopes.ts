import { Type } from '@sinclair/typebox'
import { OneOf } from './common.ts'

/** The scopes that an app can request. */
export const APP_SCOPES = [
  'openid',
  'profile',
  'email',
  'offline_access',
  'memory:read',
  'memory:write',
] as const
export type AppScope = (typeof APP_SCOPES)[number]

const appScope = OneOf(APP_SCOPES, {
  description:
    '`openid`: who the user is, by id; `profile`: name, username and picture; `email`: the address; `offline_access`: access without the user present; `memory:read`, `memory:write`: the memories.',
})

/** In a response. An app whose scopes an admin removed may have none. */
export const AppScopes = Type.Array(appScope)

/** In a request. */
export const RequestedAppScopes = Type.Array(appScope, {
  minItems: 1,
  maxItems: APP_SCOPES.length,
  uniqueItems: true,
})
