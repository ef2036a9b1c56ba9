import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { type AuditRow, auditLog } from './table.ts'

export type AuditAction =
  | 'user.signed_up'
  | 'session.started'
  | 'session.failed'
  | 'session.ended'
  | 'session.all_ended'
  | 'session.replayed'
  | 'key.created'
  | 'key.revoked'
  | 'device.approved'
  | 'device.denied'
  | 'email.verified'
  | 'password.changed'
  | 'password.reset'
  | 'provider.connected'
  | 'provider.disconnected'
  | 'mfa.enabled'
  | 'mfa.disabled'
  | 'mfa.codes_renewed'
  | 'admin.claimed'

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

/** Newest first; `before` is the last entry of the page before. */
export const listAudit = (
  db: Db,
  userId: string,
  page: { limit: number; before?: string | undefined },
): Promise<AuditRow[]> => {
  const older = sql`(${auditLog.createdAt}, ${auditLog.id}) < (
    select a.created_at, a.id from ${auditLog} a where a.id = ${page.before} and a.user_id = ${userId})`
  return db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.userId, userId), page.before ? older : undefined))
    .orderBy(desc(auditLog.createdAt), desc(auditLog.id))
    .limit(page.limit)
}

/** The database lets these rows go only once their user is gone. */
export const deleteAudit = async (tx: Db, userId: string): Promise<void> => {
  await tx.delete(auditLog).where(eq(auditLog.userId, userId))
}
