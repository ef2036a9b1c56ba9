import { endpointsOf } from '../../../../shared/contract/endpoint.ts'
import * as webhookRows from '../../../../shared/contract/event-webhooks.ts'
import { defineOptionalFeature } from '../../../feature.ts'
import { budgets } from '../../../platform/budgets.ts'
import { createFetcher } from '../../../platform/fetch/fetcher.ts'
import { orgWebhookAccess } from './access.ts'
import { deliveryRetention, startEventDelivery } from './delivery.ts'
import { orgWebhookRoutes } from './routes.ts'
import { createEventWebhookService, type WebhookAccess } from './service.ts'
import { eraseWebhooks } from './store.ts'

/** Webhooks that get the events of accounts and organizations. */
export const webhooks = defineOptionalFeature({
  name: 'webhooks',
  option: 'webhooks',
  rows: endpointsOf(webhookRows),
  retention: () => [deliveryRetention],
  async start({ database, jobs, log, cipher, fetching }) {
    const fetcher = createFetcher(fetching)
    const { timeoutMs = budgets.webhook.ms } = fetching
    const deliver = await startEventDelivery({ database, jobs, log, cipher, fetcher, timeoutMs })
    const create = (access: WebhookAccess) =>
      createEventWebhookService({ database, cipher, fetcher, timeoutMs, deliver, access })
    return { create, ofOrgs: create(orgWebhookAccess) }
  },
  endings: () => ({ org: [{ run: eraseWebhooks }], releasedOrg: [{ run: eraseWebhooks }] }),
  serve: ({ mount }, { ofOrgs }) => orgWebhookRoutes(mount, ofOrgs),
})
