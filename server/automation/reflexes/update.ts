import type { ReflexWithSecret, UpdateReflex } from '../../../shared/contract/reflexes.ts'
import type { Db } from '../../platform/db/database.ts'
import type { ConfirmationService } from '../confirmations/service.ts'
import { automationError } from '../errors.ts'
import type { ReflexParts } from '../firings/firing.ts'
import { updateReflexRow } from '../firings/reflex-store.ts'
import type { ReflexRow } from '../firings/table.ts'
import type { Clock } from '../schedules/clock.ts'
import { firstTime } from '../schedules/times.ts'
import { presentReflex } from './present.ts'
import type { WebhookSecrets } from './secrets.ts'

export interface UpdateDeps {
  clock: Pick<Clock, 'schedule'>
  confirmations: Pick<ConfirmationService, 'dismissAll'>
  secrets: WebhookSecrets
}

/** @returns a function that applies an update to a locked reflex. */
export const createApplyUpdate =
  ({ clock, confirmations, secrets }: UpdateDeps) =>
  async (tx: Db, before: ReflexRow, body: UpdateReflex): Promise<ReflexWithSecret> => {
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
    if (!reflex) throw automationError('reflex_not_found')
    await clock.schedule(tx, reflex)
    return { ...presentReflex(reflex), webhook_secret: secret }
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
