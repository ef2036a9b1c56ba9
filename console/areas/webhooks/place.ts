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
} from '../../../shared/contract/event-webhooks.ts'
import { EVENT_TYPES, type EventType, ORGANIZATION_EVENTS } from '../../../shared/events.ts'

const ofServer = {
  list: listServerWebhooks,
  create: createServerWebhook,
  update: updateServerWebhook,
  remove: deleteServerWebhook,
  renew: renewServerWebhookSecret,
  test: testServerWebhook,
  deliveries: listServerDeliveries,
  replay: replayServerDelivery,
  replayFailed: replayServerDeliveries,
}

const ofOrg = {
  list: listOrgWebhooks,
  create: createOrgWebhook,
  update: updateOrgWebhook,
  remove: deleteOrgWebhook,
  renew: renewOrgWebhookSecret,
  test: testOrgWebhook,
  deliveries: listOrgDeliveries,
  replay: replayOrgDelivery,
  replayFailed: replayOrgDeliveries,
}

/** The webhooks that the screens show: those of the server, or of an organization. */
export interface WebhookPlace {
  rows: typeof ofServer
  /** In the paths of the rows. */
  params: { org_id?: string }
  /** The events that it has. */
  types: readonly EventType[]
  /** The address of the list; that of a webhook follows it. */
  path: string
}

export const SERVER_WEBHOOKS: WebhookPlace = {
  rows: ofServer,
  params: {},
  types: EVENT_TYPES,
  path: '/admin/webhooks',
}

export const orgWebhooks = (org_id: string): WebhookPlace => ({
  // The same requests and responses, at paths with the organization of `params`.
  rows: ofOrg as unknown as typeof ofServer,
  params: { org_id },
  types: ORGANIZATION_EVENTS,
  path: `/people/organizations/${org_id}/webhooks`,
})
