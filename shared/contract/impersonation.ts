import { type Static, Type } from '@sinclair/typebox'
import { reason } from './admin.ts'
import { Timestamp, Uuid, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'
import { AccessToken } from './sessions.ts'

export const MAX_IMPERSONATION_MINUTES = 60

export const StartImpersonation = Type.Object({
  reason: reason({
    description: 'The reason. The user gets it by email and in the audit log.',
    examples: ['Ticket 4711: a memory is missing.'],
  }),
  minutes: withDefault(
    Type.Integer({
      minimum: 1,
      maximum: MAX_IMPERSONATION_MINUTES,
      description: 'When the access ends by itself.',
    }),
    15,
  ),
})
export type StartImpersonation = Static<typeof StartImpersonation>

export const StartedImpersonation = Type.Object({
  ...AccessToken.properties,
  session_id: Uuid(),
  expires_at: Timestamp({ description: 'When the session ends. It cannot be refreshed.' }),
})
export type StartedImpersonation = Static<typeof StartedImpersonation>

const tag = 'Admin'
const params = Type.Object({ user_id: Uuid() })
const path = '/api/admin/users/{user_id}/impersonate'
const affects = ['adminAuditLog', 'listSessions']

export const startImpersonation = endpoint({
  name: 'startImpersonation',
  method: 'POST',
  path,
  tag,
  summary:
    'See and use the server as a user, for some minutes, without access to the account settings',
  credential: 'jwt',
  adminOnly: true,
  params,
  body: StartImpersonation,
  success: [200, StartedImpersonation],
  affects,
  errors: {
    403: ['admin_revoked'],
    404: ['administered_user_not_found'],
    409: ['impersonates_self', 'impersonates_admin', 'impersonates_disabled'],
  },
})

export const endImpersonation = endpoint({
  name: 'endImpersonation',
  method: 'DELETE',
  path,
  tag,
  summary: 'End the impersonation of a user by the caller',
  credential: 'jwt',
  adminOnly: true,
  params,
  success: [204, null],
  affects,
  errors: { 404: ['administered_user_not_found'] },
})
