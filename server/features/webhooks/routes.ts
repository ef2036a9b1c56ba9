import { orgWebhooks, serverWebhooks } from '../../../shared/contract/event-webhooks.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { WebhookActor } from './rights.ts'
import type { EventWebhookService } from './service.ts'

/** The requests differ in their paths only: those of an organization have its id. */
type Rows = typeof serverWebhooks

interface Manager extends Pick<WebhookActor, 'caller' | 'client'> {
  params: Partial<Record<string, string>>
}

/** Mounts the endpoints of the webhooks of the server. */
export const serverWebhookRoutes = (mount: Mount, webhooks: EventWebhookService): void =>
  webhookRoutes(mount, serverWebhooks, webhooks)

/** Mounts the endpoints of the webhooks of organizations. */
export const orgWebhookRoutes = (mount: Mount, webhooks: EventWebhookService): void =>
  webhookRoutes(mount, orgWebhooks as unknown as Rows, webhooks)

const webhookRoutes = (mount: Mount, rows: Rows, webhooks: EventWebhookService): void => {
  const actorOf = ({ caller, client, params }: Manager): WebhookActor => ({
    caller,
    client,
    owner: params.org_id?.toLowerCase() ?? null,
  })
  mount(rows.list, (call) => webhooks.list(actorOf(call)))
  mount(rows.create, (call) => webhooks.create(actorOf(call), call.body))
  mount(rows.update, (call) => webhooks.update(actorOf(call), call.params.webhook_id, call.body))
  mount(rows.remove, async (call) => {
    await webhooks.delete(actorOf(call), call.params.webhook_id)
    return undefined
  })
  mount(rows.renew, (call) => webhooks.renewSecret(actorOf(call), call.params.webhook_id))
  mount(rows.test, (call) => webhooks.deliveries.test(actorOf(call), call.params.webhook_id))
  mount(rows.deliveries, (call) =>
    webhooks.deliveries.list(actorOf(call), call.params.webhook_id, call.query),
  )
  mount(rows.replay, (call) =>
    webhooks.deliveries.replay(actorOf(call), call.params.webhook_id, call.params.event_id),
  )
  mount(rows.replayFailed, (call) =>
    webhooks.deliveries.replayFailed(actorOf(call), call.params.webhook_id, call.body.since),
  )
}
