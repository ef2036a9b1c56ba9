import { and, desc, eq, sql } from 'drizzle-orm'
import type { EventType } from '../../../../shared/events.ts'
import { afterCommit, poolOf } from '../../../platform/db/connections.ts'
import type { Db } from '../../../platform/db/database.ts'
import { emitEvents, type NewEvent } from '../events/store.ts'
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
  | 'oauth_client.revoked'
  | 'managed_client.created'
  | 'managed_client.changed'
  | 'managed_client.deleted'
  | 'managed_client.secret_rotated'
  | 'email.verified'
  | 'email.change_requested'
  | 'email.changed'
  | 'email.change_undone'
  | 'account.taken_over'
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
  | 'user.created'
  | 'user.deleted'
  | 'user.email_changed'
  | 'mfa.reset'
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
  | 'org.policies_changed'
  | 'org.domain_added'
  | 'org.domain_verified'
  | 'org.domain_changed'
  | 'org.domain_removed'
  | 'org.domain_ended'
  | 'webhook.created'
  | 'webhook.changed'
  | 'webhook.deleted'
  | 'org.allowed_clients_changed'
  | 'scim_token.created'
  | 'scim_token.revoked'

export interface NewAuditEntry {
  userId: string
  action: AuditAction
  subject?: string
  ip?: string
  details?: Record<string, string | number | boolean>
  /** The organization in which a key or an app acts, whose webhooks get the event too. */
  orgId?: string | null
}

/** The events of entries; those of organizations are emitted once for all members that they concern. */
const EVENTS: Partial<Record<AuditAction, EventType>> = {
  'user.signed_up': 'user.created',
  'user.imported': 'user.created',
  'email.verified': 'user.email_verified',
  'email.changed': 'user.email_changed',
  'email.change_undone': 'user.email_changed',
  'session.started': 'session.created',
  'session.failed': 'session.failed',
  'session.ended': 'session.revoked',
  'session.all_ended': 'session.revoked',
  'session.replayed': 'session.revoked',
  'key.created': 'key.created',
  'key.changed': 'key.changed',
  'key.revoked': 'key.revoked',
  'password.changed': 'password.changed',
  'password.reset': 'password.changed',
  'password.removed': 'password.changed',
  'mfa.enabled': 'mfa.enabled',
  'mfa.disabled': 'mfa.disabled',
  'passkey.added': 'passkey.added',
  'passkey.removed': 'passkey.removed',
  'provider.connected': 'provider.connected',
  'provider.disconnected': 'provider.disconnected',
  'oauth_client.authorized': 'app.authorized',
}

/** Admins do these to users. Both have an entry, and that of the admin names the user. */
const BY_ADMINS: Partial<Record<AuditAction, EventType>> = {
  'mfa.reset': 'mfa.disabled',
  'user.disabled': 'user.disabled',
  'user.enabled': 'user.enabled',
  'user.tier_changed': 'user.tier_changed',
}

const eventsOf = ({ userId, action, subject, details, orgId }: NewAuditEntry): NewEvent[] => {
  const type = EVENTS[action]
  if (type)
    return [{ type, userId, orgId, details: { action, ...(subject && { subject }), ...details } }]
  const byAdmin = BY_ADMINS[action]
  if (!byAdmin || subject === undefined) return []
  return [{ type: byAdmin, userId: subject, details: { by: userId, ...details } }]
}

type AuditListener = (entry: NewAuditEntry) => void

const listeners = new WeakMap<Db, AuditListener[]>()

/** Calls `listener` after the commit of each entry that is recorded over a connection. */
export const onAudit = (db: Db, listener: AuditListener): void => {
  listeners.set(db, [...(listeners.get(db) ?? []), listener])
}

/** Records an action in the audit log of a user. Does nothing when the user was deleted. */
export const recordAudit = async (db: Db, entry: NewAuditEntry): Promise<void> => {
  const { userId, action, subject = null, ip = null, details = {} } = entry
  await db.execute(sql`
    insert into ${auditLog} (id, user_id, action, subject, ip, details)
    select ${Bun.randomUUIDv7()}::uuid, u.id, ${action}, ${subject}, ${ip}, ${JSON.stringify(details)}::jsonb
    from ${users} u where u.id = ${userId} for key share`)
  await emitEvents(db, eventsOf(entry))
  for (const listener of listeners.get(poolOf(db)) ?? []) afterCommit(db, () => listener(entry))
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
  await emitEvents(
    tx,
    userIds.flatMap((userId) => eventsOf({ userId, action })),
  )
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
