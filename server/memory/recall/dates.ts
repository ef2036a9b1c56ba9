import type { ParsedComponents, ParsedResult } from 'chrono-node'
import * as chrono from 'chrono-node/en'
import { DAY_MS } from '../../../shared/duration.ts'
import { instantAt, UTC, wallClock } from '../../platform/timezone.ts'
import { type Direction, normalizeRanges, parseDirection } from './date-words.ts'

/**
 * A time that a question names: a span, open where `from` or `to` is null, or a day or month of any year.
 */
export type DateMention =
  | { from: string | null; to: string | null }
  | { month: number; day: number | null }

/** The parser's time grows faster than the length of the text. */
const MAX_CHARACTERS = 2_000

interface Span {
  from: Date
  to: Date
}

/**
 * Reads the days, weeks and months that the first 2,000 characters of a question name, relative to `now` in
 * a time zone. A bare year is ignored: it is too wide to rank by.
 */
export const parseDateMentions = (question: string, now: Date, timezone = UTC): DateMention[] => {
  const text = normalizeRanges(question.slice(0, MAX_CHARACTERS))
  const wall = wallClock(now, timezone)
  return chrono
    .parse(text, { instant: wall, timezone: 0 }, { forwardDate: false })
    .flatMap((found) => readMention(found, text, wall))
    .map((mention) => inTimezone(mention, timezone))
}

/** A local day, given as its midnight in the UTC fields, as a time that a question names. */
export const dayMention = (direction: Direction, day: Date, timezone: string): DateMention =>
  inTimezone(inDirection(direction, { from: day, to: addUnit('day', day) }), timezone)

const inTimezone = (mention: Mention, timezone: string): DateMention => {
  if ('month' in mention) return mention
  const at = (date: Date | null) => date && instantAt(date, timezone).toISOString()
  return { from: at(mention.from), to: at(mention.to) }
}

type Mention = { from: Date | null; to: Date | null } | { month: number; day: number | null }

const readMention = (
  { text, index, start, end }: ParsedResult,
  question: string,
  now: Date,
): Mention[] => {
  const rest = question.slice(index + text.length)
  const month = start.get('month')
  if (month === null || isVague(text, start, rest)) return []
  const direction = parseDirection(question.slice(0, index))
  const week = weekOfMonth(question.slice(0, index), start, now)
  if (week) return [inDirection(direction, week)]
  const hasDay = start.isCertain('day') || start.isCertain('weekday')
  const isRelative = start.isCertain('weekday') || /\b(last|this|past|ago)\b/i.test(text)
  const isYearly = !start.isCertain('year') && !isRelative
  if (isYearly && !start.isCertain('month')) return []
  if (isYearly && !end && direction === 'in')
    return [{ month, day: hasDay ? start.get('day') : null }]
  const from = startOf(text, pastDate(text, start, now), hasDay)
  const unit = unitOf(text, hasDay)
  const to = end ? endOf(end) : addUnit(unit, from)
  const span = isYearly ? inThePast({ from, to }, now) : { from, to }
  return [inDirection(direction, span)]
}

/** The end of the day or month that a range ends with. */
const endOf = (end: ParsedComponents): Date => {
  const day = startOfDay(end.date())
  if (end.isCertain('day') || end.isCertain('weekday')) return addUnit('day', day)
  return addUnit('month', new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1)))
}

/** Moves a span of any year to the last year in which it has begun. */
const inThePast = ({ from, to }: Span, now: Date): Span => {
  const yearsLater = (date: Date, years: number) =>
    new Date(Date.UTC(date.getUTCFullYear() + years, date.getUTCMonth(), date.getUTCDate()))
  const shift = now.getUTCFullYear() - from.getUTCFullYear()
  const years = yearsLater(from, shift) > now ? shift - 1 : shift
  return { from: yearsLater(from, years), to: yearsLater(to, years) }
}

const inDirection = (direction: Direction, { from, to }: Span): Mention => {
  if (direction === 'before') return { from: null, to: from }
  if (direction === 'after') return { from: to, to: null }
  return direction === 'since' ? { from, to: null } : { from, to }
}

const ORDINALS = ['first', 'second', 'third', 'fourth']
const WEEK_OF = /\b(first|second|third|fourth|last) week (?:of|in) $/i

/** "The first week of January": its first seven days; the last week: its last seven. */
const weekOfMonth = (before: string, start: ParsedComponents, now: Date): Span | undefined => {
  const ordinal = WEEK_OF.exec(before)?.[1]?.toLowerCase()
  if (!ordinal || !start.isCertain('month') || start.isCertain('day')) return undefined
  const date = start.date()
  const month = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1))
  const whole = { from: month, to: addUnit('month', month) }
  const { from, to } = start.isCertain('year') ? whole : inThePast(whole, now)
  if (ordinal === 'last') return { from: new Date(to.getTime() - 7 * DAY_MS), to }
  const begin = new Date(from.getTime() + ORDINALS.indexOf(ordinal) * 7 * DAY_MS)
  return { from: begin, to: addUnit('week', begin) }
}

/** The parser reads "on Friday" as the nearest one; a question means the last one. */
const pastDate = (text: string, start: ParsedComponents, now: Date): Date => {
  const isLast = !start.isCertain('day') && start.isCertain('weekday') && !/\bnext\b/i.test(text)
  const date = start.date()
  return isLast && date > now ? new Date(date.getTime() - 7 * DAY_MS) : date
}

/**
 * Whether it is a year, a duration ("for two weeks"), a moment ("now"), a week of another time ("the last
 * week of August"), or a word that rarely means a day ("sat", "sun").
 */
const isVague = (text: string, start: ParsedComponents, rest: string): boolean =>
  !(start.isCertain('month') || start.isCertain('weekday')) ||
  /^(for\b|now$)/i.test(text) ||
  (/\bweeks?$/i.test(text) && /^\s+(of|in|before|after)\b/i.test(rest)) ||
  /^(mon|tue|wed|thu|fri|sat|sun)$/.test(text)

type Unit = 'day' | 'week' | 'month'

/** The parser reads "last week" as one day; it means the whole week. */
const unitOf = (text: string, hasDay: boolean): Unit => {
  if (/\bweeks?\b/i.test(text)) return 'week'
  return hasDay && !/\bmonths?\b/i.test(text) ? 'day' : 'month'
}

const startOfDay = (date: Date) => new Date(Math.floor(date.getTime() / DAY_MS) * DAY_MS)

const startOf = (text: string, date: Date, hasDay: boolean): Date => {
  const day = startOfDay(date)
  switch (unitOf(text, hasDay)) {
    case 'week':
      return new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * DAY_MS)
    case 'month':
      return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1))
    default:
      return day
  }
}

const addUnit = (unit: Unit, start: Date): Date =>
  unit === 'month'
    ? new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1))
    : new Date(start.getTime() + (unit === 'week' ? 7 : 1) * DAY_MS)
