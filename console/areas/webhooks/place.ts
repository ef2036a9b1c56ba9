import { orgWebhooks, serverWebhooks } from '../../../shared/contract/event-webhooks.ts'
import { EVENT_TYPES, type EventType, ORGANIZATION_EVENTS } from '../../../shared/events.ts'

/** The webhooks that the screens show: those of the server, or of an organization. */
export interface WebhookPlace {
  rows: typeof serverWebhooks
  /** In the paths of the rows. */
  params: { org_id?: string }
  /** The events that it has. */
  types: readonly EventType[]
  /** The address of the list; that of a webhook follows it. */
  path: string
}

export const SERVER_WEBHOOKS: WebhookPlace = {
  rows: serverWebhooks,
  params: {},
  types: EVENT_TYPES,
  path: '/admin/webhooks',
}

export const webhooksOf = (org_id: string): WebhookPlace => ({
  // The same requests and responses, at paths with the organization of `params`.
  rows: orgWebhooks as unknown as typeof serverWebhooks,
  params: { org_id },
  types: ORGANIZATION_EVENTS,
  path: `/people/organizations/${org_id}/webhooks`,
})
