import type { UpdateReflex } from '../../../../shared/contract/reflexes.ts'
import type { Cipher } from '../../../platform/cipher.ts'
import type { Db } from '../../../platform/db/database.ts'
import { newWebhookSecret } from '../../../platform/webhook.ts'
import type { ConfirmationService } from '../confirmations/service.ts'
import type { ReflexParts } from '../firings/firing.ts'
import { updateReflexRow } from '../firings/reflex-store.ts'
import type { ReflexRow } from '../firings/table.ts'
import type { ScheduleClock } from '../schedules/clock.ts'
import { firstTime } from '../schedules/times.ts'
import { reflexError } from './check.ts'

export interface UpdateDeps {
  clock: Pick<ScheduleClock, 'schedule'>
  confirmations: Pick<ConfirmationService, 'dismissAll'>
  secrets: WebhookSecrets
}

/** A reflex with its webhook secret, where the update created one. */
interface UpdatedReflex {
  reflex: ReflexRow
  secret: string | null
}

/** @returns a function that applies an update to a locked reflex. */
export const createApplyUpdate =
  ({ clock, confirmations, secrets }: UpdateDeps) =>
  async (tx: Db, before: ReflexRow, body: UpdateReflex): Promise<UpdatedReflex> => {
    const { userId, reflexId } = before
    const changed = changedParts(before, body)
    const parts = { ...partsOf(before), ...changed }
    const { secret, sealedSecret } = secrets.forAction(userId, parts, before.sealedSecret)
    const state = {
      isEnabled: body.enabled ?? before.isEnabled,
      skipsAlways: body.skip_always ?? before.skipsAlways,
    }
    if (Object.keys(changed).length)
      await confirmations.dismissAll(tx, userId, reflexId, 'reflex_changed')
    const isActivated = isActive(state) && !isActive(before)
    const reflex = await updateReflexRow(tx, before, {
      ...parts,
      ...state,
      ...(body.name !== undefined && { name: body.name }),
      ...(body.confirm !== undefined && { doesConfirm: body.confirm }),
      ...(body.enabled && { disabledReason: null }),
      triggerType: parts.trigger.type,
      sealedSecret,
      ...((changed.trigger || isActivated || !isActive(state)) && {
        nextAt: firstTimeOf(parts, state),
      }),
      updatedAt: new Date(),
    })
    if (!reflex) throw reflexError('reflex_not_found')
    await clock.schedule(tx, reflex)
    return { reflex, secret }
  }

export const partsOf = ({ trigger, conditions, action }: ReflexParts): ReflexParts => ({
  trigger,
  conditions,
  action,
})

/** The parts of an update that differ from the reflex. */
export const changedParts = (
  before: ReflexParts,
  { trigger, conditions, action }: UpdateReflex,
): Partial<ReflexParts> => ({
  ...(trigger && !isEqual(trigger, before.trigger) && { trigger }),
  ...(conditions && !isEqual(conditions, before.conditions) && { conditions }),
  ...(action && !isEqual(action, before.action) && { action }),
})

const isEqual = (a: unknown, b: unknown): boolean => Bun.deepEquals(a, b, true)

type ActiveState = Pick<ReflexRow, 'isEnabled' | 'skipsAlways'>

const isActive = ({ isEnabled, skipsAlways }: ActiveState): boolean => isEnabled && !skipsAlways

/** The first scheduled time; null without a schedule or for an inactive reflex. */
export const firstTimeOf = (
  { trigger }: Pick<ReflexParts, 'trigger'>,
  state: ActiveState,
): Date | null =>
  trigger.type === 'schedule' && isActive(state) ? firstTime(trigger, new Date()) : null

/** A secret that was created now, and the encrypted one to store. */
interface WebhookSecret {
  secret: string | null
  sealedSecret: string | null
}

type WebhookSecrets = ReturnType<typeof createWebhookSecrets>

/** Secrets that sign the requests of webhooks; the user sees one only when it is created. */
export const createWebhookSecrets = (cipher: Pick<Cipher, 'seal'>) => {
  const create = (userId: string): { secret: string; sealedSecret: string } => {
    const secret = newWebhookSecret()
    return { secret, sealedSecret: cipher.seal(secret, userId) }
  }

  return {
    create,

    /** The secret of an action, which stays the same as long as the action is a webhook. */
    forAction(
      userId: string,
      { action }: Pick<ReflexParts, 'action'>,
      existing: string | null,
    ): WebhookSecret {
      if (action.type !== 'webhook') return { secret: null, sealedSecret: null }
      return existing ? { secret: null, sealedSecret: existing } : create(userId)
    },
  }
}
