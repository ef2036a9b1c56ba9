import { Chrono, de, en, es, fr, type ParsedComponents } from 'chrono-node'
import { instantOf, wallClock } from '../../../platform/timezone.ts'

export type Language = keyof typeof PARSERS

const english = new Chrono(en.casual)
/** "The 15th" is the next one. */
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

/** When something is said, and where. */
export interface Moment {
  instant: Date
  /** The same on the clock of whoever says it. */
  wall: Date
  timezone: string
}

export const momentAt = (instant: Date, timezone: string): Moment => ({
  instant,
  wall: wallClock(instant, timezone),
  timezone,
})

/**
 * When something was said that happened at a time, or else was noted at one. Midnight in UTC is how a day
 * without an hour is kept: it is that day, wherever it was said.
 */
export const saidAt = (occurredAt: Date | null, notedAt: Date, timezone: string): Date => {
  if (!occurredAt) return notedAt
  return occurredAt.getTime() % DAY_MS === 0 ? instantOf(occurredAt, timezone) : occurredAt
}

/** A time that a sentence names, and where it does. Days and hours are those of the speaker's clock. */
export interface Mention {
  index: number
  text: string
  /** At 00:00 of the day. */
  day: Date
  /** The time, where an hour is named or meant, such as by "this evening". */
  at: Date | null
  /** The same where it does not hang on the speaker's clock: "in 3 hours", "at 9am PST". */
  instant: Date | null
  hasYear: boolean
  /** A day is named, and not an hour alone. */
  isDay: boolean
  /** It is named by its weekday alone. */
  isWeekday: boolean
  /** "At 5" may be in either half of the day. */
  isHalfOpen: boolean
}

const DAY_MS = 24 * 60 * 60 * 1000
const DEFAULT_HOUR = 9
const EVENING = 20
const NOON = 12
/** A day without its year that is further off than this was likelier the last one. */
const FAR_DAYS = 300
/** What the parser gives the parts of a day, in hours. */
const PART_OF_DAY =
  /\b(tonight|evening|afternoon|noon|midday|midnight|abend|nachmittag|mittag|soir|après-midi|midi|noche|tarde|mediodía)\b/i
export const MORNING = /\b(morning|morgens|vormittag|matin)\b/i
/** Which is the day and which the month differs from country to country. */
const AMBIGUOUS = /^\d{1,2}[/.]\d{1,2}\b/

/**
 * The days and times in a text, relative to when it was said.
 * @param isAhead whether a weekday or a day of a month is the next one rather than the nearest.
 */
export const mentionsIn = (
  text: string,
  moment: Moment,
  isAhead: boolean,
  language: Language = 'en',
): Mention[] => {
  const said = moment.wall
  return PARSERS[language]
    .parse(text, { instant: said, timezone: 0 }, { forwardDate: isAhead })
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
      if (/\btonight\b/i.test(found) && !isTime && evening > said) at = evening
      if (/\bnext week\b/i.test(found)) at = mondayOf(at)
      if (isNextMonth) at = firstOf(at)
      const reached = hasHour ? at : endOf(startOfDay(at))
      if (isAhead && isWeekday && (reached <= said || (sameDay(at, said) && !hasHour)))
        at = new Date(at.getTime() + 7 * DAY_MS)
      if (isAhead && !isDay && at <= said) at = new Date(at.getTime() + DAY_MS)
      const hasYear = start.isCertain('year')
      if (!hasYear && isAhead && at.getTime() - said.getTime() > FAR_DAYS * DAY_MS) return []
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
          isHalfOpen: language === 'en' && !instant && isHalfOpen(start, found),
        },
      ]
    })
}

/**
 * The instant of a length of time from now, or of an hour that is named with its zone.
 * @returns null for all that the speaker's clock tells.
 */
const instantIn = (start: ParsedComponents, { instant, wall }: Moment): Date | null => {
  if (!start.isCertain('timezoneOffset')) return null
  const tags = start.tags()
  const isFromNow = tags.has('result/relativeDateAndTime') || tags.has('casualReference/now')
  return isFromNow
    ? new Date(instant.getTime() + start.date().getTime() - wall.getTime())
    : start.date()
}

/** In Spanish "a las 8" is a time as a whole, and "las 8" is all that the parser takes. */
const withArticle = (
  { index, text }: { index: number; text: string },
  whole: string,
  language: Language,
) =>
  language === 'es' && /^las? /i.test(text) && /(?:^|\s)a $/i.test(whole.slice(0, index))
    ? { index: index - 2, text: whole.slice(index - 2, index + text.length) }
    : { index, text }

/** When something is due that was asked for on a day: at nine, or at once if that is past. */
export const dueAt = (mention: Mention, said: Moment): Date => {
  const { day, at, instant, isHalfOpen } = mention
  const named = at ?? hourOf(day, DEFAULT_HOUR)
  const due = isHalfOpen ? likelyHalf(named, mention.isDay, said.wall) : named
  const time = instant ?? instantOf(due, said.timezone)
  return time < said.instant && sameDay(due, said.wall) ? said.instant : time
}

/**
 * An hour without "am" or "pm" is the next there is; of another day that is named it is one in the
 * afternoon up to six, and in the morning from seven on.
 */
const likelyHalf = (at: Date, isDay: boolean, wall: Date): Date => {
  if (isDay && !sameDay(at, wall)) return isSmall(at) ? halfADayAfter(at) : at
  const today = new Date(startOfDay(wall).getTime() + (at.getTime() - startOfDay(at).getTime()))
  if (today > wall) return today
  return isDay || halfADayAfter(today) > wall ? halfADayAfter(today) : at
}
const halfADayAfter = (at: Date) => new Date(at.getTime() + DAY_MS / 2)

/** An hour at which few are awake, and so is likelier one of the afternoon. */
export const isSmall = (at: Date): boolean => at.getUTCHours() < 7

export const isoDay = (day: Date): string => day.toISOString().slice(0, 10)

const isHalfOpen = (start: ParsedComponents, found: string): boolean => {
  const hour = start.get('hour') ?? 0
  const isBare = start.isCertain('hour') && !start.isCertain('meridiem')
  return isBare && hour > 0 && hour < NOON && !/\b0\d/.test(found)
}

const startOfDay = (date: Date) => new Date(Math.floor(date.getTime() / DAY_MS) * DAY_MS)
const endOf = (day: Date) => new Date(day.getTime() + DAY_MS)
const hourOf = (date: Date, hour: number) =>
  new Date(startOfDay(date).getTime() + hour * 60 * 60 * 1000)
const sameDay = (one: Date, other: Date) => isoDay(one) === isoDay(other)
const firstOf = (date: Date) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1))
const mondayOf = (date: Date) =>
  new Date(startOfDay(date).getTime() - ((date.getUTCDay() + 6) % 7) * DAY_MS)
