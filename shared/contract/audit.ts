import { type Static, Type } from '@sinclair/typebox'
import { Nullable, PageSize, Timestamp, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'

export const AuditEntry = Type.Object(
  {
    id: Uuid(),
    action: Type.String({ examples: ['key.created'] }),
    subject: Nullable(Type.String({ description: 'The id of the affected object.' })),
    ip: Nullable(Type.String()),
    details: Type.Record(Type.String(), Type.Unknown()),
    created_at: Timestamp(),
  },
  { $id: 'AuditEntry' },
)
export type AuditEntry = Static<typeof AuditEntry>

export const AuditLog = Type.Object({
  entries: Type.Array(AuditEntry),
  next_cursor: Nullable(
    Type.String({
      description: 'Pass it as `cursor` to get the next page; null on the last page.',
    }),
  ),
})
export type AuditLog = Static<typeof AuditLog>

export const auditLog = endpoint({
  name: 'auditLog',
  method: 'GET',
  path: '/api/auth/audit',
  tag: 'Account',
  summary: 'List the audit events of the account, newest first',
  credential: 'jwt',
  query: Type.Object({
    limit: PageSize(50),
    cursor: Type.Optional(Uuid()),
    action: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Only events whose action starts with this.',
        examples: ['credits.'],
      }),
    ),
  }),
  success: [200, AuditLog],
})
