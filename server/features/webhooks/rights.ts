import {
  checkCallerManages,
  checkManager,
  lockOrgAsMember,
} from '../../account/organizations/rights.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { RequestClient } from '../../platform/http/context.ts'
import type { WebhookOwner } from './store.ts'

/** Who acts on the webhooks of the server or of an organization, which the rights of the service allow. */
export interface WebhookActor {
  caller: Caller
  client: Pick<RequestClient, 'ip'>
  owner: WebhookOwner
}

/** Who manages the webhooks. Both throw ApiError 403 for others. */
export interface WebhookRights {
  check(db: Db, actor: WebhookActor): Promise<void>
  /** Keeps the right until the end of the transaction. */
  lock(tx: Db, actor: WebhookActor): Promise<void>
}

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
