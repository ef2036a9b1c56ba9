import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { users } from '../users/table.ts'
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
  | 'program.allowed'
  | 'program.denied'
  | 'email.verified'
  | 'password.changed'
  | 'password.reset'
  | 'provider.connected'
  | 'provider.disconnected'
  | 'mfa.enabled'
  | 'mfa.disabled'
  | 'mfa.codes_renewed'
  | 'admin.claimed'
  | 'engine.switched'
  | 'handler.switched'
  | 'user.disabled'
  | 'user.enabled'
  | 'user.tier_changed'
  | 'credits.bought'
  | 'credits.taken_back'
  | 'credits.given_back'
  | 'admin.granted'
  | 'admin.revoked'
  | 'org.created'
  | 'org.renamed'
  | 'org.deleted'
  | 'org.activated'
  | 'org.invited'
  | 'org.invite_withdrawn'
  | 'org.member_joined'
  | 'org.member_removed'
  | 'org.role_changed'

/** Notes what happened to an account; nothing for one that is being deleted at this moment. */
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
  const { userId, action, subject = null, ip = null, details = {} } = entry
  await db.execute(sql`
    insert into ${auditLog} (id, user_id, action, subject, ip, details)
    select ${Bun.randomUUIDv7()}::uuid, u.id, ${action}, ${subject}, ${ip}, ${JSON.stringify(details)}::jsonb
    from ${users} u where u.id = ${userId} for key share`)
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
