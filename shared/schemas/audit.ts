import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Timestamp, Uuid } from './common.ts'

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
