import { type Static, Type } from '@sinclair/typebox'
import { AuditEntry } from './audit.ts'
import { Nullable, OneOf, PageSize, Timestamp, Uuid, withDefault } from './common.ts'
import { endpoint, stream } from './endpoint.ts'

const Count = (description?: string) => Type.Integer(description ? { description } : {})

export const AdminQueues = Type.Object({
  jobs: Type.Array(
    Type.Object({
      kind: Type.String({ examples: ['mail'] }),
      waiting: Count('Jobs that wait for a worker, for a retry or for their time.'),
      active: Count('Jobs that are running.'),
      failed: Count('Jobs that failed permanently in the last 7 days.'),
      oldest_due_at: Nullable(
        Timestamp({ description: 'When the oldest waiting job was due; null if none is due.' }),
      ),
    }),
  ),
  failed_jobs: Type.Array(
    Type.Object({
      kind: Type.String(),
      failed_at: Timestamp(),
      attempts: Count(),
      error: Nullable(Type.String({ description: 'The message of the last error.' })),
    }),
    { description: 'The last 20 jobs that failed permanently, newest first.' },
  ),
  outbox: Type.Object(
    {
      queued: Count('Emails that the mail server has not accepted yet.'),
      failed: Count('Emails that could not be delivered.'),
      oldest_queued_at: Nullable(Timestamp()),
      failures: Type.Array(
        Type.Object({
          domain: Type.String({ description: 'The domain of the recipient.' }),
          reason: Nullable(Type.String()),
          failed_at: Timestamp(),
        }),
        { description: 'The last 20 failures, newest first.' },
      ),
    },
    { description: 'Emails of users to others.' },
  ),
})
export type AdminQueues = Static<typeof AdminQueues>

const CONFIGURABLE_PARTS = [
  'mail',
  'models',
  'embedding',
  'transcription',
  'oauth',
  'stripe',
  's3',
  'postgres',
] as const

const ConfiguredPart = Type.Object({
  part: OneOf(CONFIGURABLE_PARTS),
  configured: Type.Boolean(),
  providers: Type.Array(Type.String({ examples: ['ollama'] }), {
    description: 'The configured providers of `models` and `oauth`.',
  }),
})
export type ConfiguredPart = Static<typeof ConfiguredPart>

export const AdminConfiguration = Type.Object({ parts: Type.Array(ConfiguredPart) })
export type AdminConfiguration = Static<typeof AdminConfiguration>

export const AdminHistoryQuery = Type.Object({
  days: withDefault(
    Type.Integer({ minimum: 7, maximum: 90, description: 'Number of days, with today.' }),
    30,
  ),
})

export const AdminHistory = Type.Object({
  days: Type.Array(
    Type.Object({
      day: Type.String({ format: 'date', examples: ['2026-01-31'] }),
      users: Count('Accounts that were created.'),
      sign_ins: Count('Sessions that were started.'),
      memories: Count('Memories that were stored, also if they were deleted or replaced later.'),
      messages: Count('Chat messages of users and of the service.'),
    }),
    { description: 'One row for each day in UTC, oldest first.' },
  ),
})
export type AdminHistory = Static<typeof AdminHistory>

const auditFilter = {
  action: Type.Optional(
    Type.String({
      trim: true,
      maxLength: 60,
      description: 'An action such as `key.created`, or a group of actions such as `key`.',
    }),
  ),
  user_id: Type.Optional(Uuid({ description: 'Only the events of this user.' })),
  since: Type.Optional(Timestamp({ description: 'Only events at or after this time.' })),
  until: Type.Optional(Timestamp({ description: 'Only events before this time.' })),
}

export const AdminAuditExportQuery = Type.Object(auditFilter)
export type AdminAuditExportQuery = Static<typeof AdminAuditExportQuery>

export const AdminAuditQuery = Type.Object({
  ...auditFilter,
  limit: PageSize(50),
  cursor: Type.Optional(Uuid({ description: '`next_cursor` of the previous page.' })),
})
export type AdminAuditQuery = Static<typeof AdminAuditQuery>

export const AdminAuditEntry = Type.Object({
  ...AuditEntry.properties,
  user_id: Uuid({ description: 'The user whose audit log has the event.' }),
  email: Nullable(Type.String({ description: 'The email address of the user.' })),
})
export type AdminAuditEntry = Static<typeof AdminAuditEntry>

export const AdminAuditLog = Type.Object({
  entries: Type.Array(AdminAuditEntry),
  next_cursor: Nullable(
    Type.String({
      description:
        'Pass it as `cursor` to get the next page; null on the last page. A page of a filtered list may be short, because each searches 10,000 events at most.',
    }),
  ),
})
export type AdminAuditLog = Static<typeof AdminAuditLog>

const tag = 'Admin'

export const adminQueues = endpoint({
  name: 'adminQueues',
  method: 'GET',
  path: '/api/admin/queues',
  tag,
  summary: 'Get the queues of jobs and emails, with their last failures',
  credential: 'bearer',
  adminOnly: true,
  success: [200, AdminQueues],
})

export const adminConfiguration = endpoint({
  name: 'adminConfiguration',
  method: 'GET',
  path: '/api/admin/configuration',
  tag,
  summary: 'List the optional parts of the server and whether each is configured',
  credential: 'bearer',
  adminOnly: true,
  success: [200, AdminConfiguration],
})

export const adminHistory = endpoint({
  name: 'adminHistory',
  method: 'GET',
  path: '/api/admin/history',
  tag,
  summary: 'Get the number of new users, sign-ins, memories and messages of each day',
  credential: 'bearer',
  adminOnly: true,
  query: AdminHistoryQuery,
  success: [200, AdminHistory],
})

export const adminAuditLog = endpoint({
  name: 'adminAuditLog',
  method: 'GET',
  path: '/api/admin/audit',
  tag,
  summary: 'List the audit events of all users, newest first',
  credential: 'bearer',
  adminOnly: true,
  query: AdminAuditQuery,
  success: [200, AdminAuditLog],
})

export const exportAudit = endpoint({
  name: 'exportAudit',
  method: 'GET',
  path: '/api/admin/audit/export',
  tag,
  summary: 'Export the audit events of all users as NDJSON, newest first',
  credential: 'bearer',
  adminOnly: true,
  query: AdminAuditExportQuery,
  success: [200, stream('application/x-ndjson', AdminAuditEntry)],
})
