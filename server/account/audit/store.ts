import type { Db } from '../../platform/db/database.ts'
import { auditLog } from './table.ts'

export type AuditAction =
  | 'user.signed_up'
  | 'session.started'
  | 'session.failed'
  | 'session.ended'
  | 'session.replayed'
  | 'key.created'
  | 'key.revoked'
  | 'device.approved'
  | 'device.denied'

export const recordAudit = async (
  db: Db,
  entry: {
    userId: string
    action: AuditAction
    subject?: string
    ip?: string
    details?: Record<string, string | number | boolean>
  },
): Promise<void> => {
  await db.insert(auditLog).values({ id: Bun.randomUUIDv7(), ...entry })
}
