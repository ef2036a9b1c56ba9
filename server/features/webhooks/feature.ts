import { endpointsOf } from '../../../shared/contract/endpoint.ts'
import * as webhookRows from '../../../shared/contract/event-webhooks.ts'
import type { AuditService } from '../../account/users/audit/service.ts'
import { defineOptionalFeature } from '../../feature.ts'
import { budgets } from '../../platform/budgets.ts'
import type { Db } from '../../platform/db/database.ts'
import { createFetcher } from '../../platform/fetch/fetcher.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { deliveryRetention, startEventDelivery } from './delivery.ts'
import type { WebhookRights } from './rights.ts'
import { orgWebhookRights, serverWebhookRights } from './rights.ts'
import { orgWebhookRoutes, serverWebhookRoutes } from './routes.ts'
import { createEventWebhookService } from './service.ts'
import { eraseWebhooks } from './store.ts'

interface Needs {
  account: { audit: Pick<AuditService, 'record'> }
  /** @throws ApiError 403 if the caller is no longer an admin. */
  admin: { require(tx: Db, caller: Caller): Promise<void> }
}

/** Webhooks that get the events of accounts and organizations. */
export const webhooks = defineOptionalFeature({
  name: 'webhooks',
  option: 'webhooks',
  rows: endpointsOf(webhookRows),
  retention: () => [deliveryRetention],
  async start({ database, jobs, cipher, fetching }, { account: { audit }, admin }: Needs) {
    const fetcher = createFetcher(fetching)
    const { timeoutMs = budgets.webhook.ms } = fetching
    const deliver = await startEventDelivery({ database, jobs, cipher, fetcher, timeoutMs })
    const create = (rights: WebhookRights) =>
      createEventWebhookService({ database, cipher, fetcher, timeoutMs, deliver, audit, rights })
    return {
      ofOrgs: create(orgWebhookRights),
      ofServer: create(serverWebhookRights(admin.require)),
    }
  },
  endings: () => ({ org: [{ run: eraseWebhooks }], releasedOrg: [{ run: eraseWebhooks }] }),
  serve({ mount }, { ofOrgs, ofServer }) {
    orgWebhookRoutes(mount, ofOrgs)
    serverWebhookRoutes(mount, ofServer)
  },
})
