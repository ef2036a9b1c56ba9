import type { Firing } from '../../../shared/contract/firings.ts'
import type { Reflex } from '../../../shared/contract/reflexes.ts'
import type { FiringRow, ReflexRow } from '../firings/table.ts'

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

export const presentFiring = (firing: FiringRow): Firing => ({
  firing_id: firing.firingId,
  reflex_id: firing.reflexId,
  state: firing.state,
  event: firing.event,
  error: firing.error,
  attempts: firing.attempts,
  created_at: firing.createdAt.toISOString(),
  updated_at: firing.updatedAt.toISOString(),
})
