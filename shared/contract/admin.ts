import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, PageSize, Timestamp, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'
import { Tier } from './usage.ts'

export const AdminUser = Type.Object(
  {
    id: Uuid(),
    email: Type.String(),
    username: Type.String(),
    display_name: Nullable(Type.String()),
    tier: Tier,
    is_admin: Type.Boolean(),
    email_verified: Type.Boolean(),
    created_at: Timestamp(),
    last_seen_at: Nullable(
      Timestamp({ description: 'When a session or an API key was last used, to the minute.' }),
    ),
    disabled_at: Nullable(Timestamp({ description: 'When an admin disabled the account.' })),
  },
  { $id: 'AdminUser' },
)
export type AdminUser = Static<typeof AdminUser>

export const AdminUsers = Type.Object({
  users: Type.Array(AdminUser),
  next_cursor: Nullable(
    Type.String({
      description: 'Pass it as `cursor` to get the next page; null on the last page.',
    }),
  ),
})
export type AdminUsers = Static<typeof AdminUsers>

export const AdminUserQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      trim: true,
      maxLength: 255,
      description: 'A part of the email address, the username or the display name.',
    }),
  ),
  limit: PageSize(50),
  cursor: Type.Optional(Uuid({ description: 'The last user of the previous page.' })),
})
export type AdminUserQuery = Static<typeof AdminUserQuery>

/** Why an admin changes a user. */
export const reason = (options = {}) =>
  Type.String({
    minLength: 1,
    maxLength: 500,
    trim: true,
    description: 'The reason. It is recorded in the audit logs of the admin and of the user.',
    examples: ['Sends unsolicited email.'],
    ...options,
  })
const optionalReason = Type.Optional(Nullable(reason(), { trim: true }))

export const DisableUser = Type.Object({ reason: reason() })
export const EnableUser = Type.Object({ reason: optionalReason })
export const SetUserTier = Type.Object({
  tier: Nullable(Tier, {
    description: 'Overrides the tier of the subscription; null removes the override.',
  }),
  reason: optionalReason,
})
export type SetUserTier = Static<typeof SetUserTier>
export const SetUserAdmin = Type.Object({ is_admin: Type.Boolean(), reason: optionalReason })
export type SetUserAdmin = Static<typeof SetUserAdmin>

export const CreateUser = Type.Object({
  email: Type.String({ minLength: 5, maxLength: 255, trim: true, examples: ['ben@example.com'] }),
  reason: reason({ examples: ['Starts on Monday.'] }),
})
export type CreateUser = Static<typeof CreateUser>
export const SetUserEmail = Type.Object({
  email: Type.String({ ...CreateUser.properties.email, examples: ['ben@example.net'] }),
  reason: reason({ examples: ['Lost the mailbox.'] }),
})
export type SetUserEmail = Static<typeof SetUserEmail>
export const DeleteUser = Type.Object({ reason: reason({ examples: ['Left on Friday.'] }) })
export const ResetSecondFactor = Type.Object({
  reason: reason({ examples: ['Lost the phone; identity checked.'] }),
})

const Count = (description?: string) => Type.Integer(description ? { description } : {})

export const AdminStats = Type.Object({
  users: Type.Object({
    total: Count(),
    verified: Count(),
    disabled: Count(),
    active_24h: Count('Users who used a session or an API key in the last 24 hours.'),
    active_30d: Count('Users who used a session or an API key in the last 30 days.'),
  }),
  sessions: Count('Active sessions.'),
  api_keys: Count('API keys that have not expired.'),
  organizations: Count(),
  memories: Count('Memories that are neither deleted nor superseded.'),
  messages: Count('Chat messages of users and of the service.'),
  emails: Type.Object({
    queued: Count('Emails that the mail server has not accepted yet.'),
    failed: Count('Emails that could not be delivered.'),
  }),
  jobs: Type.Array(
    Type.Object({
      kind: Type.String({ examples: ['mail'] }),
      waiting: Count(),
      active: Count('Jobs that are running.'),
      failed: Count('Jobs that failed permanently in the last 7 days.'),
    }),
  ),
  engines: Type.Array(
    Type.Object({
      engine: Type.String({ examples: ['graph'] }),
      enabled: Type.Boolean(),
      pending: Count('Number of memories in the queue of the engine.'),
    }),
  ),
  database: Type.Object({
    kind: OneOf(['embedded', 'postgres']),
    size_bytes: Count(),
  }),
})
export type AdminStats = Static<typeof AdminStats>

const tag = 'Admin'
const params = Type.Object({ user_id: Uuid() })

export const listUsers = endpoint({
  name: 'listUsers',
  method: 'GET',
  path: '/api/admin/users',
  tag,
  summary: 'List or search users, newest first',
  credential: 'bearer',
  adminOnly: true,
  query: AdminUserQuery,
  success: [200, AdminUsers],
})

export const getUser = endpoint({
  name: 'getUser',
  method: 'GET',
  path: '/api/admin/users/{user_id}',
  tag,
  summary: 'Get a user',
  credential: 'bearer',
  adminOnly: true,
  params,
  success: [200, AdminUser],
  errors: { 404: ['administered_user_not_found'] },
})

export const disableUser = endpoint({
  name: 'disableUser',
  method: 'POST',
  path: '/api/admin/users/{user_id}/disable',
  tag,
  summary: 'Disable a user: end their sessions, pause their API keys and background work',
  credential: 'jwt',
  adminOnly: true,
  params,
  body: DisableUser,
  success: [200, AdminUser],
  affects: ['getUser', 'listUsers', 'adminAuditLog', 'me'],
  errors: { 403: ['admin_revoked'], 404: ['administered_user_not_found'], 409: ['last_admin'] },
})

export const enableUser = endpoint({
  name: 'enableUser',
  method: 'POST',
  path: '/api/admin/users/{user_id}/enable',
  tag,
  summary: 'Enable a disabled user',
  credential: 'jwt',
  adminOnly: true,
  params,
  body: EnableUser,
  success: [200, AdminUser],
  affects: ['getUser', 'listUsers', 'adminAuditLog', 'me'],
  errors: { 403: ['admin_revoked'], 404: ['administered_user_not_found'] },
})

export const setUserTier = endpoint({
  name: 'setUserTier',
  method: 'PUT',
  path: '/api/admin/users/{user_id}/tier',
  tag,
  summary: 'Set the tier of a user',
  credential: 'jwt',
  adminOnly: true,
  params,
  body: SetUserTier,
  isIdempotent: true,
  success: [200, AdminUser],
  affects: ['getUser', 'listUsers', 'adminAuditLog', 'me', 'getBilling', 'getUsage'],
  errors: { 403: ['admin_revoked'], 404: ['administered_user_not_found'] },
})

export const setUserAdmin = endpoint({
  name: 'setUserAdmin',
  method: 'PUT',
  path: '/api/admin/users/{user_id}/admin',
  tag,
  summary: 'Grant or revoke admin rights',
  credential: 'jwt',
  adminOnly: true,
  params,
  body: SetUserAdmin,
  isIdempotent: true,
  success: [200, AdminUser],
  affects: ['getUser', 'listUsers', 'adminAuditLog', 'me'],
  errors: {
    403: ['admin_revoked'],
    404: ['administered_user_not_found'],
    409: ['last_admin', 'admin_by_configuration'],
  },
})

const emailErrors = ['invalid_email', 'disposable_email', 'unreachable_email']
const protectedUsers = ['administers_self', 'administers_admin']

export const createUser = endpoint({
  name: 'createUser',
  method: 'POST',
  path: '/api/admin/users',
  tag,
  summary: 'Create a user, who gets a link by email to choose a password',
  credential: 'jwt',
  adminOnly: true,
  body: CreateUser,
  success: [201, AdminUser],
  affects: ['listUsers', 'adminStats', 'adminAuditLog'],
  errors: { 400: emailErrors, 403: ['admin_revoked'], 409: ['email_taken', 'address_of_admin'] },
})

export const deleteUser = endpoint({
  name: 'deleteUser',
  method: 'DELETE',
  path: '/api/admin/users/{user_id}',
  tag,
  summary: 'Delete a user and everything the account owns',
  credential: 'jwt',
  adminOnly: true,
  params,
  body: DeleteUser,
  success: [204, null],
  affects: ['getUser', 'listUsers', 'adminStats', 'adminAuditLog'],
  errors: {
    403: ['admin_revoked'],
    404: ['administered_user_not_found'],
    409: [...protectedUsers, 'sole_org_owner'],
  },
})

export const resetSecondFactor = endpoint({
  name: 'resetSecondFactor',
  method: 'POST',
  path: '/api/admin/users/{user_id}/reset-second-factor',
  tag,
  summary: 'Remove the second factor and the passkeys of a user, and end their sessions',
  credential: 'jwt',
  adminOnly: true,
  params,
  body: ResetSecondFactor,
  success: [200, AdminUser],
  affects: ['getUser', 'adminAuditLog'],
  errors: {
    403: ['admin_revoked'],
    404: ['administered_user_not_found'],
    409: protectedUsers,
  },
})

export const setUserEmail = endpoint({
  name: 'setUserEmail',
  method: 'PUT',
  path: '/api/admin/users/{user_id}/email',
  tag,
  summary: 'Change the email address of a user; it counts as verified',
  credential: 'jwt',
  adminOnly: true,
  params,
  body: SetUserEmail,
  isIdempotent: true,
  success: [200, AdminUser],
  affects: ['getUser', 'listUsers', 'adminAuditLog'],
  errors: {
    400: emailErrors,
    403: ['admin_revoked'],
    404: ['administered_user_not_found'],
    409: [...protectedUsers, 'email_taken', 'address_of_admin'],
  },
})

export const adminStats = endpoint({
  name: 'adminStats',
  method: 'GET',
  path: '/api/admin/stats',
  tag,
  summary: 'Get counts of users, data and queued work',
  credential: 'bearer',
  adminOnly: true,
  success: [200, AdminStats],
})
