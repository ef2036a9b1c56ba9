import type {
  DeliveryQuery,
  EventDeliveries,
  EventDelivery,
} from '../../../shared/contract/event-webhooks.ts'
import { TEST_EVENT } from '../../../shared/events.ts'
import { type Deliver, payloadOf } from '../../account/users/events/service.ts'
import type { EventDeliveryRow, EventWebhookRow } from '../../account/users/events/table.ts'
import type { Db } from '../../platform/db/database.ts'
import { timeBound } from '../../platform/timezone.ts'
import { webhookError } from './errors.ts'
import type { WebhookActor } from './rights.ts'
import { insertDelivery, listDeliveries, replayDelivery, replayFailed } from './store.ts'

interface WebhookDeliveryDeps {
  /** Checks the caller, and finds a webhook. */
  managed(actor: WebhookActor, id: string): Promise<EventWebhookRow>
  deliver: Deliver
}

/** The events that a webhook gets. Each method throws ApiError 403 for others than its managers, and 404. */
export const createWebhookDeliveries = (db: Db, { managed, deliver }: WebhookDeliveryDeps) => {
  /** Stores events, and the job that delivers them. */
  const send = <T>(
    { owner: orgId }: WebhookActor,
    webhookId: string,
    store: (tx: Db) => Promise<T>,
  ): Promise<T> =>
    db.transaction(async (tx) => {
      const stored = await store(tx)
      await deliver({ webhookId, orgId }, tx)
      return stored
    })

  return {
    async test(actor: WebhookActor, id: string): Promise<EventDelivery> {
      const { webhookId } = await managed(actor, id)
      const payload = payloadOf(TEST_EVENT, new Date(), {
        user_id: actor.caller.userId,
        ...(actor.owner && { org_id: actor.owner }),
      })
      const eventId = Bun.randomUUIDv7()
      return send(actor, webhookId, async (tx) =>
        presentDelivery(
          await insertDelivery(tx, { webhookId, eventId, type: TEST_EVENT, payload }),
        ),
      )
    },

    async list(actor: WebhookActor, id: string, query: DeliveryQuery): Promise<EventDeliveries> {
      const { webhookId } = await managed(actor, id)
      const rows = await listDeliveries(db, webhookId, query)
      const page = rows.slice(0, query.limit)
      return {
        deliveries: page.map(presentDelivery),
        next_cursor: rows.length > query.limit ? (page.at(-1)?.eventId ?? null) : null,
      }
    },

    async replay(actor: WebhookActor, id: string, eventId: string): Promise<EventDelivery> {
      const { webhookId } = await managed(actor, id)
      return send(actor, webhookId, async (tx) => {
        const row = await replayDelivery(tx, webhookId, eventId)
        if (!row) throw webhookError('delivery_not_found')
        return presentDelivery(row)
      })
    },

    async replayFailed(actor: WebhookActor, id: string, since: string): Promise<{ count: number }> {
      const { webhookId } = await managed(actor, id)
      const from = timeBound(since, actor.caller.timezone)?.instant ?? since
      const count = await send(actor, webhookId, (tx) => replayFailed(tx, webhookId, from))
      return { count }
    },
  }
}

const presentDelivery = (row: EventDeliveryRow): EventDelivery => ({
  event_id: row.eventId,
  type: row.type,
  state: row.state,
  attempts: row.attempts,
  status: row.status,
  error: row.error,
  created_at: row.createdAt.toISOString(),
  next_attempt_at: row.dueAt?.toISOString() ?? null,
  delivered_at: row.deliveredAt?.toISOString() ?? null,
  payload: row.payload,
})
