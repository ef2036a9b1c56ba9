import { parseInstant } from '../../../../shared/contract/common.ts'
import type { TriggerOf } from '../../../../shared/contract/reflex-triggers.ts'
import type { CreateReflex } from '../../../../shared/contract/reflexes.ts'
import type { FieldError } from '../../../../shared/errors.ts'
import { cronProblem, nextCronTime } from '../../../platform/cron.ts'
import { instantAt, isTimezone, UTC } from '../../../platform/timezone.ts'

type Trigger = CreateReflex['trigger']
type Schedule = TriggerOf<'schedule'>

/** Clock skew: a time up to this long ago fires at once. */
const TOLERANCE_MS = 60_000

/** Adds the caller's time zone to a schedule that names neither a time zone nor an offset. */
export const withTimezone = (trigger: Trigger, timezone: string): Trigger =>
  trigger.type === 'schedule' && isLocal(trigger) && timezone !== UTC
    ? { ...trigger, timezone }
    : trigger

const isLocal = ({ at, timezone }: Schedule): boolean => !timezone && !(at && OFFSET.test(at))

const OFFSET = /(?:Z|[+-]\d\d:\d\d)$/i

/** The first time of a schedule after `after`; null if there is none. */
export const nextTime = ({ at, cron, timezone }: Schedule, after: Date): Date | null => {
  if (at) {
    const time = scheduledInstant(at, timezone ?? UTC)
    return time && time.getTime() > after.getTime() ? time : null
  }
  return nextCronTime(cron ?? '', timezone ?? UTC, after)
}

/** The first time of a new schedule, which may be now. */
export const firstTime = (schedule: Schedule, now: Date): Date | null =>
  nextTime(schedule, schedule.at ? new Date(now.getTime() - TOLERANCE_MS) : now)

/** Problems of a schedule that the schema does not find. */
export const scheduleProblems = (schedule: Schedule, now: Date): FieldError[] => {
  const { at, cron, timezone } = schedule
  const problem = (field: string, msg: string, type = 'value_error') => [
    { loc: ['body', 'trigger', field], type, msg },
  ]
  if (!at && !cron) return problem('at', 'Either at or cron is required', 'missing')
  if (at && cron) return problem('cron', 'Input should be either at or cron, not both')
  if (timezone && !isTimezone(timezone))
    return problem('timezone', 'Input should be a time zone, such as Europe/Berlin')
  if (at) return firstTime(schedule, now) ? [] : problem('at', 'Input should be in the future')
  const invalid = cronProblem(cron ?? '')
  if (invalid) return problem('cron', invalid)
  return nextTime(schedule, now) ? [] : problem('cron', 'Input should match a future time')
}

/** A time without an offset is local to the time zone. */
const scheduledInstant = (at: string, timezone: string): Date | undefined => {
  const time = parseInstant(at)
  return time && !OFFSET.test(at) ? instantAt(time, timezone) : time
}
