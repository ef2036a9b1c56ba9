import {
  type CreateEventWebhook,
  type DeliveryQuery,
  type EventDeliveries,
  type EventDelivery,
  type EventWebhook,
  MAX_EVENT_WEBHOOKS,
  type NewEventWebhook,
  type UpdateEventWebhook,
} from '../../../shared/contract/event-webhooks.ts'
import { TEST_EVENT } from '../../../shared/events.ts'
import type { AuditAction, AuditService } from '../../account/users/audit/service.ts'
import { type Deliver, payloadOf } from '../../account/users/events/service.ts'
import type { EventDeliveryRow, EventWebhookRow } from '../../account/users/events/table.ts'
import type { Cipher } from '../../platform/cipher.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { serializeAdds } from '../../platform/db/locks.ts'
import type { Fetcher } from '../../platform/fetch/fetcher.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { RequestClient } from '../../platform/http/context.ts'
import { defineErrors } from '../../platform/http/error.ts'
import { rowLimitError } from '../../platform/row-limit.ts'
import { timeBound } from '../../platform/timezone.ts'
import { newWebhookSecret, webhookUrlProblem } from '../../platform/webhook.ts'
import {
  countWebhooks,
  deleteWebhook,
  findWebhook,
  insertDelivery,
  insertWebhook,
  listDeliveries,
  listWebhooks,
  replayDelivery,
  replayFailed,
  updateWebhook,
  type WebhookOwner,
} from './store.ts'

const webhookError = defineErrors({
  webhook_not_found: { status: 404, detail: 'Webhook not found' },
  delivery_not_found: { status: 404, detail: 'Delivery not found' },
  webhook_url_refused: (msg: string) => ({
    status: 422,
    detail: [{ loc: ['body', 'url'], type: 'value_error', msg }],
  }),
})

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

/** The webhooks of the server, or of an organization. Each method throws ApiError 403 for others, and 404. */
export type EventWebhookService = ReturnType<typeof createEventWebhookService>

export interface EventWebhookDeps {
  database: Database
  cipher: Pick<Cipher, 'seal'>
  fetcher: Pick<Fetcher, 'check'>
  timeoutMs: number
  deliver: Deliver
  audit: Pick<AuditService, 'record'>
  rights: WebhookRights
}

export const createEventWebhookService = ({
  database: { db },
  cipher,
  fetcher,
  timeoutMs,
  deliver,
  audit,
  rights,
}: EventWebhookDeps) => {
  const checkUrl = async (url: string | undefined): Promise<void> => {
    const problem = url && (await webhookUrlProblem(fetcher, url, timeoutMs))
    if (problem) throw webhookError('webhook_url_refused', problem)
  }

  /** Changes a webhook, or something of it, and records that. */
  const change = <T>(
    actor: WebhookActor,
    action: AuditAction,
    work: (tx: Db) => Promise<{ webhookId: string; result: T }>,
  ): Promise<T> =>
    db.transaction(async (tx) => {
      await rights.lock(tx, actor)
      const { webhookId, result } = await work(tx)
      await audit.record(tx, {
        userId: actor.caller.userId,
        action,
        subject: webhookId,
        ip: actor.client.ip,
        ...(actor.owner && { details: { org_id: actor.owner } }),
      })
      return result
    })

  const find = async ({ owner }: WebhookActor, id: string, within: Db = db) => {
    const webhook = await findWebhook(within, owner, id)
    if (!webhook) throw webhookError('webhook_not_found')
    return webhook
  }

  const update = async (
    tx: Db,
    actor: WebhookActor,
    id: string,
    values: Partial<EventWebhookRow>,
  ): Promise<EventWebhookRow> => {
    const found = await find(actor, id, tx)
    if (Object.keys(values).length === 0) return found
    return (await updateWebhook(tx, actor.owner, id, values)) ?? found
  }

  /** Checks the caller, and finds a webhook. */
  const managed = async (actor: WebhookActor, id: string) => {
    await rights.check(db, actor)
    return find(actor, id)
  }

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
    async list(actor: WebhookActor): Promise<EventWebhook[]> {
      await rights.check(db, actor)
      return (await listWebhooks(db, actor.owner)).map(present)
    },

    /** @throws ApiError 409 for one too many, 422 for a URL that is not allowed. */
    async create(
      actor: WebhookActor,
      { url, types = null, description = '' }: CreateEventWebhook,
    ): Promise<NewEventWebhook> {
      await rights.check(db, actor)
      await checkUrl(url)
      const secret = newWebhookSecret()
      return change(actor, 'webhook.created', async (tx) => {
        await serializeAdds(tx, actor.owner ?? 'server', 'event webhooks')
        if ((await countWebhooks(tx, actor.owner)) >= MAX_EVENT_WEBHOOKS)
          throw rowLimitError('cap_reached', MAX_EVENT_WEBHOOKS, 'webhooks')
        const webhookId = Bun.randomUUIDv7()
        const row = await insertWebhook(tx, {
          webhookId,
          orgId: actor.owner,
          url,
          types,
          description,
          sealedSecret: cipher.seal(secret, webhookId),
        })
        return { webhookId, result: { ...present(row), secret } }
      })
    },

    async update(
      actor: WebhookActor,
      id: string,
      { url, types, description, enabled }: UpdateEventWebhook,
    ): Promise<EventWebhook> {
      await managed(actor, id)
      await checkUrl(url)
      return change(actor, 'webhook.changed', async (tx) => {
        const row = await update(tx, actor, id, {
          ...(url !== undefined && { url }),
          ...(types !== undefined && { types }),
          ...(description !== undefined && { description }),
          ...(enabled !== undefined && { isEnabled: enabled, disabledReason: null }),
        })
        if (enabled) await deliver(row, tx)
        return { webhookId: row.webhookId, result: present(row) }
      })
    },

    delete: (actor: WebhookActor, id: string): Promise<void> =>
      change(actor, 'webhook.deleted', async (tx) => {
        const { webhookId } = await find(actor, id, tx)
        await deleteWebhook(tx, actor.owner, webhookId)
        return { webhookId, result: undefined }
      }),

    renewSecret: (actor: WebhookActor, id: string): Promise<NewEventWebhook> =>
      change(actor, 'webhook.changed', async (tx) => {
        const { webhookId } = await find(actor, id, tx)
        const secret = newWebhookSecret()
        const sealedSecret = cipher.seal(secret, webhookId)
        const row = await update(tx, actor, webhookId, { sealedSecret })
        return { webhookId, result: { ...present(row), secret } }
      }),

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

    async deliveries(
      actor: WebhookActor,
      id: string,
      query: DeliveryQuery,
    ): Promise<EventDeliveries> {
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

const present = (row: EventWebhookRow): EventWebhook => ({
  webhook_id: row.webhookId,
  url: row.url,
  types: row.types,
  description: row.description,
  enabled: row.isEnabled,
  disabled_reason: row.disabledReason,
  created_at: row.createdAt.toISOString(),
})

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
