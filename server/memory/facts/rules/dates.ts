import type { ParsedComponents } from 'chrono-node'
import * as de from 'chrono-node/de'
import * as en from 'chrono-node/en'
import * as es from 'chrono-node/es'
import * as fr from 'chrono-node/fr'
import { DAY_MS, HOUR_MS } from '../../../../shared/duration.ts'
import { alternatives } from '../../../../shared/text/alternatives.ts'
import { instantAt, wallClock } from '../../../platform/timezone.ts'

export type DateLanguage = keyof typeof PARSERS

const english = new en.Chrono(en.casual)
/** "The 15th" means the next 15th. */
english.parsers.push({
  pattern: () => /\b(?:on )?the (\d{1,2})(?:st|nd|rd|th)\b(?! of\b)/i,
  extract: ({ refDate }, match) => {
    const day = Number(match[1])
    const isPast = day < refDate.getUTCDate()
    const next = new Date(Date.UTC(refDate.getUTCFullYear(), refDate.getUTCMonth() + +isPast, day))
    return next.getUTCDate() === day
      ? { day, month: next.getUTCMonth() + 1, year: next.getUTCFullYear() }
      : null
  },
})
const PARSERS = { en: english, de, es, fr }

/** The time of a statement, with the clock of the speaker. */
export interface LocalMoment {
  instant: Date
  /** The local time in `timezone`, in the UTC fields. */
  wall: Date
  timezone: string
}

export const momentAt = (instant: Date, timezone: string): LocalMoment => ({
  instant,
  wall: wallClock(instant, timezone),
  timezone,
})

/**
 * The time of a statement: `occurredAt`, or `createdAt` without one. Midnight UTC stands for a day without
 * an hour: it is that day in `timezone`.
 */
export const statementTime = (occurredAt: Date | null, createdAt: Date, timezone: string): Date => {
  if (!occurredAt) return createdAt
  return occurredAt.getTime() % DAY_MS === 0 ? instantAt(occurredAt, timezone) : occurredAt
}

/** A date or time in a sentence. Days and hours are on the speaker's clock. */
export interface Mention {
  index: number
  text: string
  /** At 00:00 of the day. */
  day: Date
  /** The time, if an hour is named or implied ("this evening"). */
  at: Date | null
  /** The instant, if it does not depend on the speaker's clock: "in 3 hours", "at 9am PST". */
  instant: Date | null
  hasYear: boolean
  /** A day is named, not only an hour. */
  isDay: boolean
  /** The day is named by its weekday only. */
  isWeekday: boolean
  /** "At 5" may be a.m. or p.m. */
  lacksMeridiem: boolean
}

const DEFAULT_HOUR = 9
const EVENING = 20
const NOON = 12
/** A day without a year that is further ahead than this is taken as past. */
const FAR_DAYS = 300
/** Parts of the day to which the parser assigns an hour. */
const PART_OF_DAY = new RegExp(
  `\\b(${alternatives(`
      tonight | evening | afternoon | noon | midday | midnight | abend | nachmittag | mittag | soir
      après-midi | midi | noche | tarde | mediodía
    `)})\\b`,
  'i',
)
export const MORNING = /\b(morning|morgens|vormittag|matin)\b/i
/** The evening in other languages than English, for which the parser has other hours. */
const LATE = /\b(?:abend|soir|noche)\b/i
/** The order of day and month differs between countries. */
const AMBIGUOUS = /^\d{1,2}[/.]\d{1,2}\b/

/**
 * The dates and times in a text, relative to `moment`.
 * @param isAhead whether a weekday or a day of a month is the next one, not the nearest.
 */
export const mentionsIn = (
  text: string,
  moment: LocalMoment,
  isAhead: boolean,
  language: DateLanguage = 'en',
): Mention[] => {
  const now = moment.wall
  return PARSERS[language]
    .parse(text, { instant: now, timezone: 0 }, { forwardDate: isAhead })
    .flatMap((parsed): Mention[] => {
      const { start } = parsed
      const { index, text: found } = withArticle(parsed, text, language)
      if (AMBIGUOUS.test(found) && language === 'en') return []
      const isNextMonth = /\bnext month\b/i.test(found)
      const isDay = start.isCertain('day') || start.isCertain('weekday') || isNextMonth
      const isTime = start.isCertain('hour')
      const isPart = PART_OF_DAY.test(found) || MORNING.test(found)
      if (!isDay && !isTime && !(isAhead && isPart)) return []
      const instant = instantIn(start, moment)
      const named = instant ? wallClock(instant, moment.timezone) : start.date()
      let at = named
      const isWeekday = start.isCertain('weekday') && !start.isCertain('day')
      const hasHour = isTime || isPart
      if (MORNING.test(found) && !isTime) at = hourOf(at, DEFAULT_HOUR)
      const evening = hourOf(at, EVENING)
      if (LATE.test(found) && !isTime) at = evening
      if (LATE.test(found) && isTime && at.getUTCHours() < NOON) at = plusTwelveHours(at)
      if (/\btonight\b/i.test(found) && !isTime && evening > now) at = evening
      if (/\bnext week\b/i.test(found)) at = mondayOf(at)
      if (isNextMonth) at = firstOf(at)
      const reached = hasHour ? at : endOf(startOfDay(at))
      if (isAhead && isWeekday && (reached <= now || (sameDay(at, now) && !hasHour)))
        at = new Date(at.getTime() + 7 * DAY_MS)
      if (isAhead && !isDay && at <= now) at = new Date(at.getTime() + DAY_MS)
      const hasYear = start.isCertain('year')
      if (!hasYear && isAhead && at.getTime() - now.getTime() > FAR_DAYS * DAY_MS) return []
      return [
        {
          index,
          text: found,
          day: startOfDay(at),
          at: hasHour ? at : null,
          instant: instant && new Date(instant.getTime() + at.getTime() - named.getTime()),
          hasYear,
          isDay,
          isWeekday,
          lacksMeridiem: language === 'en' && !instant && lacksMeridiem(start, found),
        },
      ]
    })
}

/** The instant of a duration from now or of an hour with its zone; null for times on the speaker's clock. */
const instantIn = (start: ParsedComponents, { instant, wall }: LocalMoment): Date | null => {
  if (!start.isCertain('timezoneOffset')) return null
  const tags = start.tags()
  const isFromNow = tags.has('result/relativeDateAndTime') || tags.has('casualReference/now')
  return isFromNow
    ? new Date(instant.getTime() + start.date().getTime() - wall.getTime())
    : start.date()
}

/** In Spanish the parser finds "las 8" of "a las 8"; the preposition belongs to the time. */
const withArticle = (
  { index, text }: { index: number; text: string },
  whole: string,
  language: DateLanguage,
) =>
  language === 'es' && /^las? /i.test(text) && /(?:^|\s)a $/i.test(whole.slice(0, index))
    ? { index: index - 2, text: whole.slice(index - 2, index + text.length) }
    : { index, text }

/** The due time of a reminder: 09:00 if no hour is named; at once if that is past today. */
export const reminderTime = (mention: Mention, moment: LocalMoment): Date => {
  const { day, at, instant, lacksMeridiem } = mention
  const named = at ?? hourOf(day, DEFAULT_HOUR)
  const due = lacksMeridiem ? resolveMeridiem(named, mention.isDay, moment.wall) : named
  const time = instant ?? instantAt(due, moment.timezone)
  return time < moment.instant && sameDay(due, moment.wall) ? moment.instant : time
}

/**
 * An hour without "am" or "pm" is the next such hour. On another day, hours before seven are in the
 * afternoon.
 */
const resolveMeridiem = (at: Date, isDay: boolean, wall: Date): Date => {
  if (isDay && !sameDay(at, wall)) return isNightHour(at) ? plusTwelveHours(at) : at
  const today = new Date(startOfDay(wall).getTime() + (at.getTime() - startOfDay(at).getTime()))
  if (today > wall) return today
  return isDay || plusTwelveHours(today) > wall ? plusTwelveHours(today) : at
}
const plusTwelveHours = (at: Date) => new Date(at.getTime() + DAY_MS / 2)

/** An hour before seven, which without "am" more likely means the afternoon. */
export const isNightHour = (at: Date): boolean => at.getUTCHours() < 7

export const isoDay = (day: Date): string => day.toISOString().slice(0, 10)

const lacksMeridiem = (start: ParsedComponents, found: string): boolean => {
  const hour = start.get('hour') ?? 0
  const isBare = start.isCertain('hour') && !start.isCertain('meridiem')
  return isBare && hour > 0 && hour < NOON && !/(?<![\d:.])0\d/.test(found)
}

const startOfDay = (date: Date) => new Date(Math.floor(date.getTime() / DAY_MS) * DAY_MS)
const endOf = (day: Date) => new Date(day.getTime() + DAY_MS)
const hourOf = (date: Date, hour: number) => new Date(startOfDay(date).getTime() + hour * HOUR_MS)
const sameDay = (one: Date, other: Date) => isoDay(one) === isoDay(other)
const firstOf = (date: Date) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1))
const mondayOf = (date: Date) =>
  new Date(startOfDay(date).getTime() - ((date.getUTCDay() + 6) % 7) * DAY_MS)
