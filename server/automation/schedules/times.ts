import { CronExpressionParser } from 'cron-parser'
import { parseInstant } from '../../../shared/contract/common.ts'
import type { TriggerOf } from '../../../shared/contract/reflex-triggers.ts'
import type { CreateReflex } from '../../../shared/contract/reflexes.ts'
import type { FieldError } from '../../../shared/errors.ts'
import { instantAt, isTimezone, UTC } from '../../platform/timezone.ts'

type Trigger = CreateReflex['trigger']
type Schedule = TriggerOf<'schedule'>

/** Clock skew: a time up to this long ago fires at once. */
const TOLERANCE_MS = 60_000
/** Minute, hour, day of month, month and day of week, or a macro. */
const FIVE_FIELDS = /^(\S+\s+){4}\S+$|^@(hourly|daily|weekly|monthly|yearly)$/

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
  try {
    return readCron(cron ?? '', timezone ?? UTC, after)
      .next()
      .toDate()
  } catch {
    return null
  }
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

const readCron = (cron: string, tz: string, currentDate: Date) =>
  CronExpressionParser.parse(cron, { currentDate, tz })

const NOT_FIVE_FIELDS = 'Input should be a cron expression of five fields'

/** Why a text is no cron expression of five fields, or has no time; undefined for one that has. */
export const cronProblem = (cron: string): string | undefined => {
  // The library also accepts hashed fields (h), which each parse resolves to another time.
  if (!FIVE_FIELDS.test(cron) || /(^|[\s,])h\b/i.test(cron)) return NOT_FIVE_FIELDS
  try {
    readCron(cron, UTC, new Date())
    return undefined
  } catch (error) {
    const { message } = error as Error
    const range = /got value (\S+) expected range (\S+)/.exec(message)
    if (range) return `Input has the value ${range[1]}, which should be in the range ${range[2]}`
    return message.includes('day of month')
      ? 'Input should name a day that one of its months has'
      : NOT_FIVE_FIELDS
  }
}
