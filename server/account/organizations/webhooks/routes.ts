import {
  createOrgWebhook,
  createServerWebhook,
  deleteOrgWebhook,
  deleteServerWebhook,
  listOrgDeliveries,
  listOrgWebhooks,
  listServerDeliveries,
  listServerWebhooks,
  renewOrgWebhookSecret,
  renewServerWebhookSecret,
  replayOrgDeliveries,
  replayOrgDelivery,
  replayServerDeliveries,
  replayServerDelivery,
  testOrgWebhook,
  testServerWebhook,
  updateOrgWebhook,
  updateServerWebhook,
} from '../../../../shared/contract/event-webhooks.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import type { Mount, RequestClient } from '../../../platform/http/route.ts'
import type { EventWebhookService } from './service.ts'

interface Request {
  caller: Caller
  client: RequestClient
}

/** Mounts the endpoints of the webhooks of organizations. */
export const orgWebhookRoutes = (mount: Mount, webhooks: EventWebhookService): void => {
  const actor = ({ caller, client, params }: Request & { params: { org_id: string } }) => ({
    ...{ caller, client, owner: params.org_id.toLowerCase() },
  })
  mount(listOrgWebhooks, (request) => webhooks.list(actor(request)))
  mount(createOrgWebhook, (request) => webhooks.create(actor(request), request.body))
  mount(updateOrgWebhook, (request) =>
    webhooks.update(actor(request), request.params.webhook_id, request.body),
  )
  mount(deleteOrgWebhook, async (request) => {
    await webhooks.delete(actor(request), request.params.webhook_id)
    return undefined
  })
  mount(renewOrgWebhookSecret, (request) =>
    webhooks.renewSecret(actor(request), request.params.webhook_id),
  )
  mount(testOrgWebhook, (request) => webhooks.test(actor(request), request.params.webhook_id))
  mount(listOrgDeliveries, (request) =>
    webhooks.deliveries(actor(request), request.params.webhook_id, request.query),
  )
  mount(replayOrgDelivery, (request) =>
    webhooks.replay(actor(request), request.params.webhook_id, request.params.event_id),
  )
  mount(replayOrgDeliveries, (request) =>
    webhooks.replayFailed(actor(request), request.params.webhook_id, request.body.since),
  )
}

/** Mounts the endpoints of the webhooks of the server. */
export const serverWebhookRoutes = (mount: Mount, webhooks: EventWebhookService): void => {
  const actor = ({ caller, client }: Request) => ({ caller, client, owner: null })
  mount(listServerWebhooks, (request) => webhooks.list(actor(request)))
  mount(createServerWebhook, (request) => webhooks.create(actor(request), request.body))
  mount(updateServerWebhook, (request) =>
    webhooks.update(actor(request), request.params.webhook_id, request.body),
  )
  mount(deleteServerWebhook, async (request) => {
    await webhooks.delete(actor(request), request.params.webhook_id)
    return undefined
  })
  mount(renewServerWebhookSecret, (request) =>
    webhooks.renewSecret(actor(request), request.params.webhook_id),
  )
  mount(testServerWebhook, (request) => webhooks.test(actor(request), request.params.webhook_id))
  mount(listServerDeliveries, (request) =>
    webhooks.deliveries(actor(request), request.params.webhook_id, request.query),
  )
  mount(replayServerDelivery, (request) =>
    webhooks.replay(actor(request), request.params.webhook_id, request.params.event_id),
  )
  mount(replayServerDeliveries, (request) =>
    webhooks.replayFailed(actor(request), request.params.webhook_id, request.body.since),
  )
}
