import {
  checkCallerManages,
  checkManager,
  lockOrgAsMember,
} from '../../account/organizations/rights.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { WebhookRights } from './service.ts'

/** Owners and admins manage the webhooks of an organization. */
export const orgWebhookRights: WebhookRights = {
  async check(db, { caller, owner }) {
    await checkCallerManages(db, caller, owner ?? '')
  },

  async lock(tx, { caller, owner }) {
    const { role } = await lockOrgAsMember(tx, caller, owner ?? '')
    checkManager(role)
  },
}

/** @param lockAdmin throws ApiError 403 if the caller is no longer an admin. The endpoints are for admins only. */
export const serverWebhookRights = (
  lockAdmin: (tx: Db, caller: Caller) => Promise<void>,
): WebhookRights => ({
  check: async () => {},
  lock: (tx, { caller }) => lockAdmin(tx, caller),
})
