import { and, desc, eq, sql } from 'drizzle-orm'
import { afterCommit, poolOf } from '../../../platform/db/connections.ts'
import type { Db } from '../../../platform/db/database.ts'
import { users } from '../table.ts'
import { type AuditRow, auditLog } from './table.ts'

export type AuditAction =
  | 'user.signed_up'
  | 'user.imported'
  | 'session.started'
  | 'session.failed'
  | 'session.ended'
  | 'session.all_ended'
  | 'session.replayed'
  | 'key.created'
  | 'key.revoked'
  | 'key.changed'
  | 'device.approved'
  | 'device.denied'
  | 'oauth_client.authorized'
  | 'oauth_client.denied'
  | 'oauth_client.changed'
  | 'email.verified'
  | 'password.changed'
  | 'password.reset'
  | 'password.removed'
  | 'provider.connected'
  | 'provider.disconnected'
  | 'mfa.enabled'
  | 'mfa.disabled'
  | 'mfa.codes_renewed'
  | 'passkey.added'
  | 'passkey.removed'
  | 'passkey.copied'
  | 'admin.claimed'
  | 'signing_keys.rotated'
  | 'engine.switched'
  | 'handler.switched'
  | 'setting.changed'
  | 'backup.requested'
  | 'user.disabled'
  | 'user.enabled'
  | 'user.tier_changed'
  | 'users.imported'
  | 'impersonation.started'
  | 'impersonation.ended'
  | 'credits.bought'
  | 'credits.reversed'
  | 'credits.restored'
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

export interface NewAuditEntry {
  userId: string
  action: AuditAction
  subject?: string
  ip?: string
  details?: Record<string, string | number | boolean>
}

type AuditListener = (entry: NewAuditEntry) => void

const listeners = new WeakMap<Db, AuditListener>()

/** Calls `listener` after the commit of each entry that is recorded over a connection. */
export const onAudit = (db: Db, listener: AuditListener): void => {
  listeners.set(db, listener)
}

/** Records an action in the audit log of a user. Does nothing when the user was deleted. */
export const recordAudit = async (db: Db, entry: NewAuditEntry): Promise<void> => {
  const { userId, action, subject = null, ip = null, details = {} } = entry
  await db.execute(sql`
    insert into ${auditLog} (id, user_id, action, subject, ip, details)
    select ${Bun.randomUUIDv7()}::uuid, u.id, ${action}, ${subject}, ${ip}, ${JSON.stringify(details)}::jsonb
    from ${users} u where u.id = ${userId} for key share`)
  const listener = listeners.get(poolOf(db))
  if (listener) afterCommit(db, () => listener(entry))
}

/** Records what concerns users that the transaction has created. No listener can know them yet. */
export const recordNewUsers = async (
  tx: Db,
  userIds: readonly string[],
  action: AuditAction,
): Promise<void> => {
  if (userIds.length === 0) return
  await tx
    .insert(auditLog)
    .values(userIds.map((userId) => ({ id: Bun.randomUUIDv7(), userId, action })))
}

/** Newest first. `before` is the id of the last entry on the previous page; `action` the start of the action. */
export const listAudit = (
  db: Db,
  userId: string,
  page: { limit: number; before?: string | undefined; action?: string | undefined },
): Promise<AuditRow[]> => {
  const isOlder = sql`(${auditLog.createdAt}, ${auditLog.id}) < (
    select a.created_at, a.id from ${auditLog} a where a.id = ${page.before} and a.user_id = ${userId})`
  const ofAction = sql`starts_with(${auditLog.action}, ${page.action})`
  return db
    .select()
    .from(auditLog)
    .where(
      and(
        eq(auditLog.userId, userId),
        page.before ? isOlder : undefined,
        page.action ? ofAction : undefined,
      ),
    )
    .orderBy(desc(auditLog.createdAt), desc(auditLog.id))
    .limit(page.limit)
}

/** A trigger refuses this while the user exists. */
export const deleteAudit = async (tx: Db, userId: string): Promise<void> => {
  await tx.delete(auditLog).where(eq(auditLog.userId, userId))
}
