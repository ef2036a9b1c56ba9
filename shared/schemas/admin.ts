import { type Static, Type } from '@sinclair/typebox'
import { Tier } from './billing.ts'
import { Limit, Nullable, OneOf, Timestamp, Uuid } from './common.ts'

export const AdminUser = Type.Object({
  id: Uuid(),
  email: Type.String(),
  username: Type.String(),
  display_name: Nullable(Type.String()),
  tier: Tier,
  is_admin: Type.Boolean(),
  email_verified: Type.Boolean(),
  created_at: Timestamp(),
  last_seen_at: Nullable(
    Timestamp({ description: 'When a session or a key was last used, to the minute.' }),
  ),
  disabled_at: Nullable(Timestamp({ description: 'Since when an admin keeps them out.' })),
})
export type AdminUser = Static<typeof AdminUser>

export const AdminUsers = Type.Object({
  users: Type.Array(AdminUser),
  next_cursor: Nullable(Type.String({ description: 'Give it as `cursor` for the next page.' })),
})
export type AdminUsers = Static<typeof AdminUsers>

export const AdminUserQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      trim: true,
      maxLength: 255,
      description: 'A part of the address, the username or the display name.',
    }),
  ),
  limit: Limit(50),
  cursor: Type.Optional(Uuid({ description: 'The last user of the page before.' })),
})
export type AdminUserQuery = Static<typeof AdminUserQuery>

const Reason = (options = {}) =>
  Type.String({
    minLength: 1,
    maxLength: 500,
    trim: true,
    description: 'Why; it is kept in the audit trail of the admin and of the person.',
    examples: ['Sends mail that nobody asked for.'],
    ...options,
  })
const reason = Type.Optional(Nullable(Reason(), { trim: true }))

export const DisableUser = Type.Object({ reason: Reason() })
export const EnableUser = Type.Object({ reason })
export const SetUserTier = Type.Object({
  tier: Nullable(Tier, {
    description:
      'It goes before what they pay for; null gives them the tier that follows from that.',
  }),
  reason,
})
export type SetUserTier = Static<typeof SetUserTier>
export const SetUserAdmin = Type.Object({ is_admin: Type.Boolean(), reason })
export type SetUserAdmin = Static<typeof SetUserAdmin>

const Count = (description?: string) => Type.Integer(description ? { description } : {})

export const AdminStats = Type.Object({
  users: Type.Object({
    total: Count(),
    verified: Count(),
    disabled: Count(),
    active_24h: Count('Used a session or a key in the last 24 hours.'),
    active_30d: Count('The same of the last 30 days.'),
  }),
  sessions: Count('Where people are signed in now.'),
  api_keys: Count('Those that have not expired.'),
  organizations: Count(),
  memories: Count('Those that are neither forgotten nor superseded.'),
  messages: Count('Said in conversations, by people and by the service.'),
  emails: Type.Object({
    queued: Count('Mails that people sent, and no mail server has taken yet.'),
    failed: Count('Those that were given up.'),
  }),
  jobs: Type.Array(
    Type.Object({
      kind: Type.String({ examples: ['mail'] }),
      waiting: Count(),
      active: Count('Being done.'),
      failed: Count('Given up in the last week.'),
    }),
  ),
  engines: Type.Array(
    Type.Object({
      engine: Type.String({ examples: ['graph'] }),
      enabled: Type.Boolean(),
      pending: Count('How many memories wait for it.'),
    }),
  ),
  database: Type.Object({
    kind: OneOf(['embedded', 'postgres']),
    size_bytes: Count(),
  }),
})
export type AdminStats = Static<typeof AdminStats>
