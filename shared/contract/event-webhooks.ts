import { type Static, type TObject, Type } from '@sinclair/typebox'
import { EVENT_TYPES, type EventType, ORGANIZATION_EVENTS, TEST_EVENT } from '../events.ts'
import { AnyObject, Nullable, OneOf, PageSize, Timestamp, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'

/** How long deliveries are kept. */
export const EVENT_DELIVERY_DAYS = 30

/** Webhooks of the server, or of one organization. */
export const MAX_EVENT_WEBHOOKS = 20

/** The events that a webhook of the server or of an organization can choose. */
const Types = (types: readonly EventType[]) =>
  Nullable(Type.Array(OneOf(types), { minItems: 1, maxItems: types.length, uniqueItems: true }), {
    description: 'The events that it gets; null or absent: all.',
  })

const Url = () =>
  Type.String({
    trim: true,
    minLength: 1,
    maxLength: 2000,
    description: 'A web address on the public internet.',
    examples: ['https://example.com/svc-events'],
  })

const Description = () => Type.String({ trim: true, maxLength: 200 })

export const EventWebhook = Type.Object(
  {
    webhook_id: Uuid(),
    url: Type.String(),
    types: Nullable(Type.Array(OneOf(EVENT_TYPES)), {
      description: 'The events that it gets; null: all, also those of later versions.',
    }),
    description: Type.String(),
    enabled: Type.Boolean(),
    disabled_reason: Nullable(
      Type.String({ description: 'Why the server disabled it; null if a person did.' }),
    ),
    created_at: Timestamp(),
  },
  { $id: 'EventWebhook' },
)
export type EventWebhook = Static<typeof EventWebhook>

const Secret = Type.String({
  description:
    'Signs the requests as of Standard Webhooks (HMAC-SHA256). It is returned only once.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
})

export const NewEventWebhook = Type.Object({ ...EventWebhook.properties, secret: Secret })
export type NewEventWebhook = Static<typeof NewEventWebhook>

const createBody = (types: readonly EventType[]) =>
  Type.Object({
    url: Url(),
    types: Type.Optional(Types(types)),
    description: Type.Optional(Description()),
  })
export const CreateEventWebhook = createBody(EVENT_TYPES)
export type CreateEventWebhook = Static<typeof CreateEventWebhook>

const updateBody = (types: readonly EventType[]) =>
  Type.Object({
    url: Type.Optional(Url()),
    types: Type.Optional(Types(types)),
    description: Type.Optional(Description()),
    enabled: Type.Optional(
      Type.Boolean({ description: 'A webhook that is disabled gets no events, also not later.' }),
    ),
  })
export type UpdateEventWebhook = Static<ReturnType<typeof updateBody>>

const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const

export const EventDelivery = Type.Object(
  {
    event_id: Uuid({ description: 'The header `webhook-id`: the same for each attempt.' }),
    type: Type.String({ examples: ['session.created', TEST_EVENT] }),
    state: OneOf(DELIVERY_STATES),
    attempts: Type.Integer(),
    status: Nullable(Type.Integer({ description: 'The HTTP status of the last response.' })),
    error: Nullable(Type.String({ description: 'Why the last attempt failed.' })),
    created_at: Timestamp(),
    next_attempt_at: Nullable(Timestamp()),
    delivered_at: Nullable(Timestamp()),
    payload: AnyObject({ description: 'The body of the request.' }),
  },
  { $id: 'EventDelivery' },
)
export type EventDelivery = Static<typeof EventDelivery>

export const EventDeliveries = Type.Object({
  deliveries: Type.Array(EventDelivery),
  next_cursor: Nullable(Uuid({ description: 'Pass it as `cursor`; null on the last page.' })),
})
export type EventDeliveries = Static<typeof EventDeliveries>

const DeliveryQuery = Type.Object({
  state: Type.Optional(OneOf(DELIVERY_STATES)),
  type: Type.Optional(Type.String({ maxLength: 50, description: 'Only events of this type.' })),
  limit: PageSize(50),
  cursor: Type.Optional(Uuid({ description: '`next_cursor` of the previous page.' })),
})
export type DeliveryQuery = Static<typeof DeliveryQuery>

const ReplayBody = Type.Object({
  since: Timestamp({ description: 'Failed deliveries of events since this time.' }),
})

/** The endpoints that manage the webhooks of the server, or of an organization. */
const endpointsOf = <P extends TObject, W extends TObject, D extends TObject>(
  of: {
    name: string
    path: string
    whose: string
    tag: string
    adminOnly: boolean
    types: readonly EventType[]
  },
  params: { list: P; webhook: W; delivery: D },
) => {
  const { name, path, whose, tag, adminOnly, types } = of
  const forbidden = adminOnly ? {} : ({ 403: ['not_org_member', 'org_manager_required'] } as const)
  const common = { tag, adminOnly } as const
  const list = `list${name}Webhooks`
  const deliveries = `list${name}Deliveries`
  const missing = ['webhook_not_found'] as const
  return {
    list: endpoint({
      ...common,
      name: list,
      method: 'GET',
      path,
      summary: `List the webhooks ${whose} that get its events`,
      credential: 'bearer',
      params: params.list,
      success: [200, Type.Array(EventWebhook)],
      errors: forbidden,
    }),
    create: endpoint({
      ...common,
      name: `create${name}Webhook`,
      method: 'POST',
      path,
      summary: `Create a webhook ${whose}; its secret is returned once`,
      credential: 'jwt',
      params: params.list,
      body: createBody(types),
      success: [201, NewEventWebhook],
      affects: [list],
      errors: { ...forbidden, 409: ['cap_reached'] },
    }),
    update: endpoint({
      ...common,
      name: `update${name}Webhook`,
      method: 'PATCH',
      path: `${path}/{webhook_id}`,
      summary: `Change a webhook ${whose}`,
      credential: 'jwt',
      params: params.webhook,
      body: updateBody(types),
      success: [200, EventWebhook],
      affects: [list],
      errors: { ...forbidden, 404: missing },
    }),
    remove: endpoint({
      ...common,
      name: `delete${name}Webhook`,
      method: 'DELETE',
      path: `${path}/{webhook_id}`,
      summary: `Delete a webhook ${whose} with its deliveries`,
      credential: 'jwt',
      params: params.webhook,
      success: [204, null],
      affects: [list],
      errors: { ...forbidden, 404: missing },
    }),
    renew: endpoint({
      ...common,
      name: `renew${name}WebhookSecret`,
      method: 'POST',
      path: `${path}/{webhook_id}/secret`,
      summary: 'Replace the signing secret; the new one is returned once',
      credential: 'jwt',
      params: params.webhook,
      success: [200, NewEventWebhook],
      errors: { ...forbidden, 404: missing },
    }),
    test: endpoint({
      ...common,
      name: `test${name}Webhook`,
      method: 'POST',
      path: `${path}/{webhook_id}/test`,
      summary: `Send an event \`${TEST_EVENT}\``,
      credential: 'jwt',
      params: params.webhook,
      success: [202, EventDelivery],
      affects: [deliveries],
      errors: { ...forbidden, 404: missing },
    }),
    deliveries: endpoint({
      ...common,
      name: deliveries,
      method: 'GET',
      path: `${path}/{webhook_id}/deliveries`,
      summary: `List the deliveries of a webhook in the last ${EVENT_DELIVERY_DAYS} days, newest first`,
      credential: 'bearer',
      params: params.webhook,
      query: DeliveryQuery,
      success: [200, EventDeliveries],
      errors: { ...forbidden, 404: missing },
    }),
    replay: endpoint({
      ...common,
      name: `replay${name}Delivery`,
      method: 'POST',
      path: `${path}/{webhook_id}/deliveries/{event_id}/replay`,
      summary: 'Send an event again, whatever became of it',
      credential: 'jwt',
      params: params.delivery,
      success: [202, EventDelivery],
      affects: [deliveries],
      errors: { ...forbidden, 404: ['webhook_not_found', 'delivery_not_found'] },
    }),
    replayFailed: endpoint({
      ...common,
      name: `replay${name}Deliveries`,
      method: 'POST',
      path: `${path}/{webhook_id}/replay`,
      summary: 'Send the events again that could not be delivered since a time',
      credential: 'jwt',
      params: params.webhook,
      body: ReplayBody,
      success: [202, Type.Object({ count: Type.Integer() })],
      affects: [deliveries],
      errors: { ...forbidden, 404: missing },
    }),
  }
}

const webhook_id = Uuid()
const event_id = Uuid()
const org_id = Uuid()

/** The endpoints for the webhooks of the server. */
export const serverWebhooks = endpointsOf(
  {
    name: 'Server',
    path: '/api/admin/webhooks',
    whose: 'of the server',
    tag: 'Admin',
    adminOnly: true,
    types: EVENT_TYPES,
  },
  {
    list: Type.Object({}),
    webhook: Type.Object({ webhook_id }),
    delivery: Type.Object({ webhook_id, event_id }),
  },
)

/** The endpoints for the webhooks of an organization. */
export const orgWebhooks = endpointsOf(
  {
    name: 'Org',
    path: '/api/orgs/{org_id}/webhooks',
    whose: 'of an organization',
    tag: 'Organizations',
    adminOnly: false,
    types: ORGANIZATION_EVENTS,
  },
  {
    list: Type.Object({ org_id }),
    webhook: Type.Object({ org_id, webhook_id }),
    delivery: Type.Object({ org_id, webhook_id, event_id }),
  },
)

export const {
  list: listServerWebhooks,
  create: createServerWebhook,
  update: updateServerWebhook,
  remove: deleteServerWebhook,
  renew: renewServerWebhookSecret,
  test: testServerWebhook,
  deliveries: listServerDeliveries,
  replay: replayServerDelivery,
  replayFailed: replayServerDeliveries,
} = serverWebhooks

export const {
  list: listOrgWebhooks,
  create: createOrgWebhook,
  update: updateOrgWebhook,
  remove: deleteOrgWebhook,
  renew: renewOrgWebhookSecret,
  test: testOrgWebhook,
  deliveries: listOrgDeliveries,
  replay: replayOrgDelivery,
  replayFailed: replayOrgDeliveries,
} = orgWebhooks
