import type { NewAuditEntry } from '../users/audit/store.ts'
import type { ActivityActor, RecordActivity } from './log.ts'

/** A user, as the actor of what concerns only them. */
export const personalActor = (userId: string): ActivityActor => ({
  ownerId: userId,
  userId,
  keyId: null,
})

/** Entries of the audit log that are kinds of activity of their own; the others change the account. */
const KINDS = ['session.started', 'session.failed', 'key.created', 'key.revoked'] as const

/** Shows what the audit log of a user records among the activity of the user. */
export const recordAccountActivity =
  (record: RecordActivity) =>
  ({ userId, action, details }: NewAuditEntry): void => {
    const kind = KINDS.find((each) => each === action)
    const name = typeof details?.name === 'string' ? details.name : null
    record(personalActor(userId), {
      kind: kind ?? 'account.changed',
      subject: kind ? name : action,
      count: 1,
    })
  }
