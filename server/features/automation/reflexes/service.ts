import { isUuid } from '../../../../shared/contract/common.ts'
import type { Firing, FiringQuery } from '../../../../shared/contract/firings.ts'
import {
  createReflex,
  deleteReflex,
  getReflex,
  listFirings,
  listReflexes,
  renewWebhookSecret,
  testReflex,
  updateReflex,
} from '../../../../shared/contract/index.ts'
import type { TriggerEvent } from '../../../../shared/contract/reflex-triggers.ts'
import type {
  CreateReflex,
  NewWebhookSecret,
  Reflex,
  ReflexTest,
  ReflexWithSecret,
  UpdateReflex,
} from '../../../../shared/contract/reflexes.ts'
import type { Cipher } from '../../../platform/cipher.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import type { Mount } from '../../../platform/http/route.ts'
import { checkRowLimit, type RowLimit } from '../../../platform/row-limit.ts'
import { lockCreator, lockReflexOwner } from '../firings/firing.ts'
import {
  deleteReflexRow,
  findReflex,
  insertReflex,
  listReflexRows,
  lockReflex,
  updateReflexRow,
} from '../firings/reflex-store.ts'
import { findFiring, listFiringRows } from '../firings/store.ts'
import { type FiringRow, type ReflexRow, reflexes } from '../firings/table.ts'
import { withTimezone } from '../schedules/times.ts'
import { type CheckDeps, createReflexCheck, evaluate, reflexError } from './check.ts'
import {
  changedParts,
  createApplyUpdate,
  createWebhookSecrets,
  firstTimeOf,
  partsOf,
  type UpdateDeps,
} from './update.ts'

/** The list has no pages. */
const ROW_LIMIT: RowLimit = { table: reflexes, max: 100, name: 'reflexes' }

type ReflexService = ReturnType<typeof createReflexService>

export const createReflexService = (
  database: Database,
  {
    clock,
    confirmations,
    cipher,
    ...checkDeps
  }: CheckDeps & Omit<UpdateDeps, 'secrets'> & { cipher: Pick<Cipher, 'seal'> },
) => {
  const { db } = database
  const { gates, actions } = checkDeps
  const secrets = createWebhookSecrets(cipher)
  const check = createReflexCheck(database, checkDeps)
  const applyUpdate = createApplyUpdate({ clock, confirmations, secrets })

  const find = async ({ userId }: Caller, reflexId: string): Promise<ReflexRow> => {
    const reflex = await findReflex(db, userId, reflexId)
    if (!reflex) throw reflexError('reflex_not_found')
    return reflex
  }

  return {
    async list({ userId }: Caller): Promise<Reflex[]> {
      return (await listReflexRows(db, userId)).map(presentReflex)
    },

    /** @throws ApiError 404 unless the caller has the reflex; so do all methods below. */
    get: async (caller: Caller, reflexId: string): Promise<Reflex> =>
      presentReflex(await find(caller, reflexId)),

    /** @throws ApiError as `createReflexCheck`, and 409 for too many reflexes. */
    async create(caller: Caller, body: CreateReflex): Promise<ReflexWithSecret> {
      const { userId } = caller
      const { name, conditions, action, confirm, enabled } = body
      const trigger = withTimezone(body.trigger, caller.timezone)
      const parts = { trigger, conditions, action }
      await check(caller, parts, parts)
      const { secret, sealedSecret } = secrets.forAction(userId, parts, null)
      const state = { isEnabled: enabled, skipsAlways: false }
      const reflex = await db.transaction(async (tx) => {
        await lockCreator(tx, userId)
        await checkRowLimit(tx, userId, ROW_LIMIT)
        const inserted = await insertReflex(tx, {
          userId,
          reflexId: Bun.randomUUIDv7(),
          name,
          triggerType: trigger.type,
          ...parts,
          ...state,
          doesConfirm: confirm,
          sealedSecret,
          nextAt: firstTimeOf(parts, state),
        })
        await clock.schedule(tx, inserted)
        return inserted
      })
      return { ...presentReflex(reflex), webhook_secret: secret }
    },

    /** Applies to pending firings at once. @throws ApiError as `createReflexCheck`. */
    async update(caller: Caller, reflexId: string, input: UpdateReflex): Promise<ReflexWithSecret> {
      const existing = await find(caller, reflexId)
      const trigger = input.trigger && withTimezone(input.trigger, caller.timezone)
      const body = { ...input, ...(trigger && { trigger }) }
      const changed = changedParts(existing, body)
      await check(caller, changed, { ...partsOf(existing), ...changed })
      if (body.enabled && existing.action.type === 'webhook')
        gates.requireFeature(caller, 'webhooks')
      const { reflex, secret } = await db.transaction(async (tx) => {
        await lockReflexOwner(tx, caller.userId)
        const before = await lockReflex(tx, caller.userId, reflexId)
        if (!before) throw reflexError('reflex_not_found')
        return applyUpdate(tx, before, body)
      })
      return { ...presentReflex(reflex), webhook_secret: secret }
    },

    async delete({ userId }: Caller, reflexId: string): Promise<void> {
      await db.transaction(async (tx) => {
        await lockReflexOwner(tx, userId)
        if (!(await lockReflex(tx, userId, reflexId))) throw reflexError('reflex_not_found')
        await confirmations.dismissAll(tx, userId, reflexId, 'reflex_deleted')
        await deleteReflexRow(tx, userId, reflexId)
      })
    },

    /** @throws ApiError 409 for a reflex without a webhook. */
    async renewSecret(caller: Caller, reflexId: string): Promise<NewWebhookSecret> {
      const reflex = await find(caller, reflexId)
      if (reflex.action.type !== 'webhook') throw reflexError('reflex_without_webhook')
      const { secret, sealedSecret } = secrets.create(caller.userId)
      if (!(await updateReflexRow(db, reflex, { sealedSecret })))
        throw reflexError('reflex_not_found')
      return { webhook_secret: secret }
    },

    /** Evaluates a reflex with an event, without effects. */
    test: async (caller: Caller, reflexId: string, event: TriggerEvent): Promise<ReflexTest> =>
      evaluate(await find(caller, reflexId), event, actions),

    /** A page of firings, newest first. @throws ApiError 404 also if `before` is not one of them. */
    async firings(
      caller: Caller,
      reflexId: string,
      { before, limit }: FiringQuery,
    ): Promise<Firing[]> {
      const reflex = await find(caller, reflexId)
      const { userId } = caller
      if (before && (await findFiring(db, userId, before))?.reflexId !== reflex.reflexId)
        throw reflexError('firing_not_found')
      const rows = await listFiringRows(db, userId, reflex.reflexId, { before, limit })
      return rows.map(presentFiring)
    },

    /** The definition of a reflex as JSON, for a prompt; undefined unless the caller has the reflex. */
    async describe({ userId }: Caller, reflexId: string): Promise<string | undefined> {
      if (!isUuid(reflexId)) return undefined
      const reflex = await findReflex(db, userId, reflexId)
      if (!reflex) return undefined
      const { name, trigger, conditions, action, confirm, enabled } = presentReflex(reflex)
      return JSON.stringify({ name, trigger, conditions, action, confirm, enabled })
    },
  }
}

export const presentReflex = (reflex: ReflexRow): Reflex => ({
  reflex_id: reflex.reflexId,
  name: reflex.name,
  trigger: reflex.trigger,
  conditions: reflex.conditions,
  action: reflex.action,
  confirm: reflex.doesConfirm,
  enabled: reflex.isEnabled,
  disabled_reason: reflex.disabledReason,
  skip_always: reflex.skipsAlways,
  next_at: reflex.nextAt?.toISOString() ?? null,
  last_fired_at: reflex.lastFiredAt?.toISOString() ?? null,
  created_at: reflex.createdAt.toISOString(),
  updated_at: reflex.updatedAt.toISOString(),
})

const presentFiring = (firing: FiringRow): Firing => ({
  firing_id: firing.firingId,
  reflex_id: firing.reflexId,
  state: firing.state,
  event: firing.event,
  error: firing.error,
  attempts: firing.attempts,
  created_at: firing.createdAt.toISOString(),
  updated_at: firing.updatedAt.toISOString(),
})

export const reflexRoutes = (mount: Mount, reflexes: ReflexService): void => {
  mount(listReflexes, ({ caller }) => reflexes.list(caller))
  mount(createReflex, ({ caller, body }) => reflexes.create(caller, body))
  mount(getReflex, ({ caller, params }) => reflexes.get(caller, params.reflex_id))
  mount(updateReflex, ({ caller, params, body }) => reflexes.update(caller, params.reflex_id, body))
  mount(deleteReflex, async ({ caller, params }) => {
    await reflexes.delete(caller, params.reflex_id)
    return undefined
  })
  mount(renewWebhookSecret, ({ caller, params }) => reflexes.renewSecret(caller, params.reflex_id))
  mount(testReflex, ({ caller, params, body }) =>
    reflexes.test(caller, params.reflex_id, body.event),
  )
  mount(listFirings, ({ caller, params, query }) =>
    reflexes.firings(caller, params.reflex_id, query),
  )
}
