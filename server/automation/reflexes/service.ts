import { randomBytes } from 'node:crypto'
import type { FieldError } from '../../../shared/errors.ts'
import { isUuid } from '../../../shared/schemas/common.ts'
import type {
  CreateReflex,
  Firing,
  FiringQuery,
  NewWebhookSecret,
  Reflex,
  ReflexWithSecret,
  UpdateReflex,
} from '../../../shared/schemas/reflexes.ts'
import type { Cipher } from '../../account/mfa/cipher.ts'
import type { Gates } from '../../billing/gates.ts'
import { type Cap, checkRoom } from '../../platform/db/caps.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { ActionHandler, ActionHandlers } from '../actions/action.ts'
import { conditionProblems } from '../conditions/conditions.ts'
import type { ConfirmationService } from '../confirmations/service.ts'
import { holdMaker, holdPerson } from '../firings/person.ts'
import { handlersOf } from '../firings/runner.ts'
import { findFiring, listFirings } from '../firings/store.ts'
import { checkSwitchedOn } from '../registry/switches.ts'
import type { Clock } from '../schedules/clock.ts'
import { firstTime, onClockOf, scheduleProblems } from '../schedules/times.ts'
import { presentFiring, presentReflex } from './present.ts'
import {
  changeReflex,
  deleteReflex,
  findReflex,
  insertReflex,
  listReflexes,
  lockReflex,
} from './store.ts'
import { type ReflexRow, reflexes } from './table.ts'

/** They are listed all at once. */
const CAP: Cap = { table: reflexes, most: 100, name: 'reflexes' }
const SECRET_BYTES = 32

/** What a reflex is made of. */
type Parts = Pick<ReflexRow, 'trigger' | 'conditions' | 'action'>

export type ReflexService = ReturnType<typeof createReflexService>

export const createReflexService = (
  { db }: Database,
  {
    actions,
    clock,
    confirmations,
    gates,
    cipher,
    hasDevice,
  }: {
    actions: ActionHandlers
    clock: Pick<Clock, 'arm'>
    confirmations: Pick<ConfirmationService, 'dismissAll'>
    gates: Pick<Gates, 'requireFeature'>
    cipher: Pick<Cipher, 'seal'>
    hasDevice(caller: Caller, deviceId: string): Promise<boolean>
  },
) => {
  const found = async ({ userId }: Caller, reflexId: string): Promise<ReflexRow> => {
    const reflex = await findReflex(db, userId, reflexId)
    if (!reflex) throw notFound()
    return reflex
  }

  const triggerProblems = async (
    caller: Caller,
    { trigger }: Pick<Parts, 'trigger'>,
  ): Promise<FieldError[]> => {
    if (trigger.type === 'schedule') return scheduleProblems(trigger, new Date())
    if (trigger.type !== 'signal' || !trigger.device_id) return []
    if (await hasDevice(caller, trigger.device_id)) return []
    const msg = 'You have no such device'
    return [{ loc: ['body', 'trigger', 'device_id'], type: 'value_error', msg }]
  }

  const actionProblems = async ({ action }: Pick<Parts, 'action'>): Promise<FieldError[]> => {
    const handler = actions[action.type] as ActionHandler
    return (await handler.problems?.(action as never)) ?? []
  }

  /**
   * Whether what is given of a reflex can be run.
   * @throws ApiError 403 by tier, 422 naming all that is wrong, 409 for what is switched off.
   */
  const check = async (caller: Caller, given: Partial<Parts>, whole: Parts): Promise<void> => {
    const { trigger, conditions, action } = given
    if (action?.type === 'webhook') gates.requireFeature(caller, 'webhooks')
    const problems = [
      ...(trigger ? await triggerProblems(caller, { trigger }) : []),
      ...(conditions ? conditionProblems(conditions) : []),
      ...(action ? await actionProblems({ action }) : []),
    ]
    if (problems.length) throw new ApiError(422, problems)
    if (trigger || conditions || action) await checkSwitchedOn(db, handlersOf(whole))
  }

  const newSecret = (userId: string) => {
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
    return { secret, sealedSecret: cipher.seal(secret, userId) }
  }

  /** The secret that goes with an action: kept as long as there is a webhook. */
  const secretFor = (userId: string, { action }: Pick<Parts, 'action'>, known: string | null) => {
    if (action.type !== 'webhook') return { secret: null, sealedSecret: null }
    return known ? { secret: null, sealedSecret: known } : newSecret(userId)
  }

  const changed = async (
    tx: Db,
    caller: Caller,
    before: ReflexRow,
    body: UpdateReflex,
  ): Promise<ReflexWithSecret> => {
    const { name, confirm, enabled, skip_always } = body
    const news = newsIn(before, body)
    const parts = { ...partsOf(before), ...news }
    const { secret, sealedSecret } = secretFor(caller.userId, parts, before.sealedSecret)
    const state = {
      isEnabled: enabled ?? before.isEnabled,
      skipsAlways: skip_always ?? before.skipsAlways,
    }
    if (Object.keys(news).length)
      await confirmations.dismissAll(tx, caller.userId, before.reflexId, 'reflex_changed')
    const isWoken = isActive(state) && !isActive(before)
    const reflex = await changeReflex(tx, before, {
      ...parts,
      ...state,
      ...given({ name, doesConfirm: confirm }),
      ...(enabled && { disabledReason: null }),
      triggerType: parts.trigger.type,
      sealedSecret,
      ...((news.trigger || isWoken || !isActive(state)) && { nextAt: timeOf(parts, state) }),
      updatedAt: new Date(),
    })
    if (!reflex) throw notFound()
    await clock.arm(tx, reflex)
    return { ...presentReflex(reflex), webhook_secret: secret }
  }

  return {
    async list({ userId }: Caller): Promise<Reflex[]> {
      return (await listReflexes(db, userId)).map(presentReflex)
    },

    /** @throws ApiError 404 for a reflex that is not there or not the caller's; so do all that follow. */
    get: async (caller: Caller, reflexId: string): Promise<Reflex> =>
      presentReflex(await found(caller, reflexId)),

    /** @throws ApiError as `check`, and 409 for one too many. */
    async create(caller: Caller, body: CreateReflex): Promise<ReflexWithSecret> {
      const { userId } = caller
      const { name, conditions, action, confirm, enabled } = body
      const trigger = onClockOf(body.trigger, caller.timezone)
      const parts = { trigger, conditions, action }
      await check(caller, parts, parts)
      const { secret, sealedSecret } = secretFor(userId, parts, null)
      const state = { isEnabled: enabled, skipsAlways: false }
      const reflex = await db.transaction(async (tx) => {
        await holdMaker(tx, userId)
        await checkRoom(tx, userId, CAP)
        const made = await insertReflex(tx, {
          userId,
          reflexId: Bun.randomUUIDv7(),
          name,
          triggerType: trigger.type,
          ...parts,
          ...state,
          doesConfirm: confirm,
          sealedSecret,
          nextAt: timeOf(parts, state),
        })
        await clock.arm(tx, made)
        return made
      })
      return { ...presentReflex(reflex), webhook_secret: secret }
    },

    /** It holds at once: what has not been done yet is done as the reflex is then. @throws as `check`. */
    async update(caller: Caller, reflexId: string, asked: UpdateReflex): Promise<ReflexWithSecret> {
      const known = await found(caller, reflexId)
      const { trigger } = asked
      const body = trigger ? { ...asked, trigger: onClockOf(trigger, caller.timezone) } : asked
      const news = newsIn(known, body)
      await check(caller, news, { ...partsOf(known), ...news })
      if (body.enabled && known.action.type === 'webhook') gates.requireFeature(caller, 'webhooks')
      return db.transaction(async (tx) => {
        await holdPerson(tx, caller.userId)
        const before = await lockReflex(tx, caller.userId, reflexId)
        if (!before) throw notFound()
        return changed(tx, caller, before, body)
      })
    },

    async delete({ userId }: Caller, reflexId: string): Promise<void> {
      await db.transaction(async (tx) => {
        await holdPerson(tx, userId)
        if (!(await lockReflex(tx, userId, reflexId))) throw notFound()
        await confirmations.dismissAll(tx, userId, reflexId, 'reflex_deleted')
        await deleteReflex(tx, userId, reflexId)
      })
    },

    /** @throws ApiError 409 also for a reflex without a webhook. */
    async renewSecret(caller: Caller, reflexId: string): Promise<NewWebhookSecret> {
      const { userId } = caller
      const reflex = await found(caller, reflexId)
      if (reflex.action.type !== 'webhook') throw new ApiError(409, 'The reflex has no webhook')
      const { secret, sealedSecret } = newSecret(userId)
      if (!(await changeReflex(db, reflex, { sealedSecret }))) throw notFound()
      return { webhook_secret: secret }
    },

    /** A page, newest first. @throws ApiError 404 also when the one to go on from is not there. */
    async firings(
      caller: Caller,
      reflexId: string,
      { before, limit }: FiringQuery,
    ): Promise<Firing[]> {
      const reflex = await found(caller, reflexId)
      const { userId } = caller
      if (before && (await findFiring(db, userId, before))?.reflexId !== reflex.reflexId)
        throw new ApiError(404, 'Firing not found')
      const rows = await listFirings(db, userId, reflex.reflexId, { before, limit })
      return rows.map(presentFiring)
    },

    /** What a reflex is, as it can be told of; undefined when it is not there or not the caller's. */
    async describe({ userId }: Caller, reflexId: string): Promise<string | undefined> {
      if (!isUuid(reflexId)) return undefined
      const reflex = await findReflex(db, userId, reflexId)
      if (!reflex) return undefined
      const { name, trigger, conditions, action, confirm, enabled } = presentReflex(reflex)
      return JSON.stringify({ name, trigger, conditions, action, confirm, enabled })
    },
  }
}

const notFound = () => new ApiError(404, 'Reflex not found')

const partsOf = ({ trigger, conditions, action }: Parts): Parts => ({ trigger, conditions, action })

/** Only what is there. */
const given = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

/** What a change gives a reflex that it has not. */
const newsIn = (before: Parts, { trigger, conditions, action }: UpdateReflex): Partial<Parts> => ({
  ...(trigger && !isSame(trigger, before.trigger) && { trigger }),
  ...(conditions && !isSame(conditions, before.conditions) && { conditions }),
  ...(action && !isSame(action, before.action) && { action }),
})

const isSame = (a: unknown, b: unknown): boolean => Bun.deepEquals(a, b, true)

const isActive = ({ isEnabled, skipsAlways }: Pick<ReflexRow, 'isEnabled' | 'skipsAlways'>) =>
  isEnabled && !skipsAlways

/** When its schedule has it fire first, if it has one and is on. */
const timeOf = (
  { trigger }: Pick<Parts, 'trigger'>,
  state: Pick<ReflexRow, 'isEnabled' | 'skipsAlways'>,
): Date | null =>
  trigger.type === 'schedule' && isActive(state) ? firstTime(trigger, new Date()) : null
