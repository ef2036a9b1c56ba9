import type { Db } from '../../platform/db/database.ts'
import { type AuditAction, recordAudit } from '../users/audit/store.ts'
import { lockUsersSkipLocked } from './store.ts'

/**
 * Records an action in an organization in the audit log of the actor and of the users it concerns.
 * Users whose accounts are being deleted are left out.
 */
export const recordOrgAudit = async (
  tx: Db,
  action: AuditAction,
  orgId: string,
  entry: { by: string; concerns?: string[]; details?: Record<string, string> },
): Promise<void> => {
  const { by, concerns = [], details = {} } = entry
  for (const userId of await lockUsersSkipLocked(tx, [...new Set([by, ...concerns])]))
    await recordAudit(tx, {
      userId,
      action,
      subject: orgId.toLowerCase(),
      details: userId === by ? details : { ...details, by },
    })
}
