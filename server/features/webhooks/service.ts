import {
  type CreateEventWebhook,
  type EventWebhook,
  MAX_EVENT_WEBHOOKS,
  type NewEventWebhook,
  type UpdateEventWebhook,
} from '../../../shared/contract/event-webhooks.ts'
import type { AuditAction, AuditService } from '../../account/users/audit/service.ts'
import type { Deliver } from '../../account/users/events/service.ts'
import type { EventWebhookRow } from '../../account/users/events/table.ts'
import type { Cipher } from '../../platform/cipher.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { serializeAdds } from '../../platform/db/locks.ts'
import type { Fetcher } from '../../platform/fetch/fetcher.ts'
import { rowLimitError } from '../../platform/row-limit.ts'
import { newWebhookSecret, webhookUrlProblem } from '../../platform/webhook.ts'
import { createWebhookDeliveries } from './deliveries.ts'
import { webhookError } from './errors.ts'
import type { WebhookActor, WebhookRights } from './rights.ts'
import {
  countWebhooks,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  updateWebhook,
} from './store.ts'

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

export const createEventWebhookService = (deps: EventWebhookDeps) => {
  const { cipher, fetcher, timeoutMs, deliver, rights } = deps
  const { db } = deps.database
  const change = createChange(deps)

  const checkUrl = async (url: string | undefined): Promise<void> => {
    const problem = url && (await webhookUrlProblem(fetcher, url, timeoutMs))
    if (problem) throw webhookError('webhook_url_refused', problem)
  }

  /** Checks the caller, and finds a webhook. */
  const managed = async (actor: WebhookActor, id: string) => {
    await rights.check(db, actor)
    return find(db, actor, id)
  }

  return {
    deliveries: createWebhookDeliveries(db, { managed, deliver }),

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
        const { webhookId } = await find(tx, actor, id)
        await deleteWebhook(tx, actor.owner, webhookId)
        return { webhookId, result: undefined }
      }),

    renewSecret: (actor: WebhookActor, id: string): Promise<NewEventWebhook> =>
      change(actor, 'webhook.changed', async (tx) => {
        const { webhookId } = await find(tx, actor, id)
        const secret = newWebhookSecret()
        const sealedSecret = cipher.seal(secret, webhookId)
        const row = await update(tx, actor, webhookId, { sealedSecret })
        return { webhookId, result: { ...present(row), secret } }
      }),
  }
}

/** Changes a webhook, or something of it, and records that. */
const createChange =
  ({ database: { db }, rights, audit }: Pick<EventWebhookDeps, 'database' | 'rights' | 'audit'>) =>
  <T>(
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

const find = async (db: Db, { owner }: WebhookActor, id: string): Promise<EventWebhookRow> => {
  const webhook = await findWebhook(db, owner, id)
  if (!webhook) throw webhookError('webhook_not_found')
  return webhook
}

const update = async (
  tx: Db,
  actor: WebhookActor,
  id: string,
  values: Partial<EventWebhookRow>,
): Promise<EventWebhookRow> => {
  const found = await find(tx, actor, id)
  if (Object.keys(values).length === 0) return found
  return (await updateWebhook(tx, actor.owner, id, values)) ?? found
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
