import type { ParsedComponents, ParsedResult } from 'chrono-node'
import * as chrono from 'chrono-node/en'
import { DAY_MS } from '../../../shared/duration.ts'
import { instantAt, UTC, wallClock } from '../../platform/timezone.ts'
import {
  addUnits,
  type Direction,
  inDirection,
  inThePast,
  type Mention,
  type Span,
  startOfUnit,
  type Unit,
  unitSpan,
} from './date-spans.ts'
import { readUnspacedDates } from './unspaced-dates.ts'
import { blank, type DatesRead, readWordedDates } from './worded-dates.ts'

/**
 * A time that a question names: a span, open where `from` or `to` is null, or a day or month of any year.
 */
export type DateMention =
  | { from: string | null; to: string | null }
  | { month: number; day: number | null }

/** The parser's time grows faster than the length of the text. */
const MAX_CHARACTERS = 2_000

/**
 * Reads the times that the first 2,000 characters of a question name, relative to `now` in a time zone: days, weeks,
 * months, years, holidays, and periods until now.
 * @param languages the languages that it may be written in; none: English.
 */
export const parseDateMentions = (
  question: string,
  now: Date,
  timezone = UTC,
  languages: readonly string[] = [],
): DateMention[] => {
  const text = normalizeRanges(question.slice(0, MAX_CHARACTERS).normalize('NFC'))
  const wall = wallClock(now, timezone)
  const isEnglish = languages.length === 0 || languages.includes('english')
  const found = isEnglish ? readEnglish(text, wall) : { mentions: [], rest: text }
  for (const language of languages.filter((each) => each !== 'english')) {
    const { mentions, rest } = readWordedDates(found.rest, language, wall, 'all')
    found.mentions.push(...mentions)
    found.rest = rest
  }
  return [...found.mentions, ...readUnspacedDates(found.rest, wall)].map((mention) =>
    inTimezone(mention, timezone),
  )
}

/** Periods until now are read by their words, dates by the parser. */
const readEnglish = (text: string, wall: Date): DatesRead => {
  const { mentions, rest } = readWordedDates(withYears(text, wall), 'english', wall, 'spans')
  const results = chrono.parse(rest, { instant: wall, timezone: 0 }, { forwardDate: false })
  return {
    mentions: [...mentions, ...results.flatMap((result) => readMention(result, rest, wall))],
    rest: results.reduce((left, { index, text: read }) => blank(left, index, read.length), rest),
  }
}

const MONTHS =
  'january|february|march|april|may|june|july|august|september|october|november|december'
const LAST_MONTH = new RegExp(`\\b(last|this) (${MONTHS})\\b(?! \\d)`, 'gi')
const MONTH_OF_YEAR = new RegExp(`\\b(${MONTHS}),?(?: of)? (last|this) year\\b`, 'gi')

/** Writes "last May" and "March last year" as the months that the parser reads. */
const withYears = (text: string, wall: Date): string => {
  const thisYear = wall.getUTCFullYear()
  const monthOf = (name: string) => MONTHS.split('|').indexOf(name.toLowerCase())
  return text
    .replace(
      MONTH_OF_YEAR,
      (_, month: string, which: string) =>
        `${month} ${/last/i.test(which) ? thisYear - 1 : thisYear}`,
    )
    .replace(LAST_MONTH, (_, which: string, month: string) => {
      const isAhead = monthOf(month) > wall.getUTCMonth()
      const isPast = isAhead || (/last/i.test(which) && monthOf(month) === wall.getUTCMonth())
      return `${month} ${isPast ? thisYear - 1 : thisYear}`
    })
}

/** A local day, given as its midnight in the UTC fields, as a time that a question names. */
export const dayMention = (direction: Direction, day: Date, timezone: string): DateMention =>
  inTimezone(inDirection(direction, unitSpan('day', day)), timezone)

const inTimezone = (mention: Mention, timezone: string): DateMention => {
  if ('month' in mention) return mention
  const at = (date: Date | null) => date && instantAt(date, timezone).toISOString()
  return { from: at(mention.from), to: at(mention.to) }
}

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
  const unit = unitOf(text, hasDay)
  const begin = startOfUnit(unit, pastDate(text, start, now))
  const isWeekend = /\bweekend\b/i.test(text)
  const from = isWeekend ? addUnits('day', startOfUnit('week', begin), 5) : begin
  const to = end ? endOf(end) : addUnits(unit, from, isWeekend ? 2 : 1)
  const span = isYearly ? inThePast({ from, to }, now) : { from, to }
  return [inDirection(direction, span)]
}

/** The end of the day or month that a range ends with. */
const endOf = (end: ParsedComponents): Date => {
  const isDay = end.isCertain('day') || end.isCertain('weekday')
  return unitSpan(isDay ? 'day' : 'month', end.date()).to
}

const ORDINALS = ['first', 'second', 'third', 'fourth']
const WEEK_OF = /\b(first|second|third|fourth|last) week (?:of|in) $/i

/** "The first week of January": its first seven days; the last week: its last seven. */
const weekOfMonth = (before: string, start: ParsedComponents, now: Date): Span | undefined => {
  const ordinal = WEEK_OF.exec(before)?.[1]?.toLowerCase()
  if (!ordinal || !start.isCertain('month') || start.isCertain('day')) return undefined
  const date = start.date()
  const whole = unitSpan('month', date)
  const { from, to } = start.isCertain('year') ? whole : inThePast(whole, now)
  if (ordinal === 'last') return { from: new Date(to.getTime() - 7 * DAY_MS), to }
  const begin = new Date(from.getTime() + ORDINALS.indexOf(ordinal) * 7 * DAY_MS)
  return { from: begin, to: addUnits('week', begin, 1) }
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

/** The parser reads "last week" as one day; it means the whole week. */
const unitOf = (text: string, hasDay: boolean): Unit => {
  if (/\bweeks?\b/i.test(text)) return 'week'
  return hasDay && !/\bmonths?\b/i.test(text) ? 'day' : 'month'
}

const DIRECTIONS: [RegExp, Direction][] = [
  [/\b(?:before|until|prior to) (?:the )?$/i, 'before'],
  [/\bafter (?:the )?$/i, 'after'],
  [/\bsince (?:the )?$/i, 'since'],
]

/** Reads the direction from the words right before a date. */
export const parseDirection = (before: string): Direction =>
  DIRECTIONS.find(([pattern]) => pattern.test(before.slice(-20)))?.[1] ?? 'in'

const BETWEEN = /\bbetween ([^.?!\n]{1,40}?) and /gi

/** Rewrites "between May and July" as the range that the parser reads. */
export const normalizeRanges = (text: string): string => text.replace(BETWEEN, '$1 to ')
