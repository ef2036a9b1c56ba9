import { CronExpressionParser } from 'cron-parser'
import { UTC } from './timezone.ts'

/** Minute, hour, day of month, month and day of week, or a macro. */
const FIVE_FIELDS = /^(\S+\s+){4}\S+$|^@(hourly|daily|weekly|monthly|yearly)$/

const readCron = (cron: string, tz: string, currentDate: Date) =>
  CronExpressionParser.parse(cron, { currentDate, tz })

/** The first time of a cron expression after `after`; null if there is none. */
export const nextCronTime = (cron: string, timezone: string, after: Date): Date | null => {
  try {
    return readCron(cron, timezone, after).next().toDate()
  } catch {
    return null
  }
}

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
