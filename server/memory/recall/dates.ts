import * as chrono from 'chrono-node'

/** A time that a question names: a span, or a day or month of any year. */
export type DateMention = { from: string; to: string } | { month: number; day: number | null }

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * The days, weeks and months that a question names, read relative to `now`.
 * @returns nothing for a bare year, which says too little to rank by.
 */
export const datesIn = (question: string, now: Date): DateMention[] =>
  chrono
    .parse(question, { instant: now, timezone: 0 }, { forwardDate: false })
    .flatMap(({ text, index, start, end }): DateMention[] => {
      const month = start.get('month')
      if (month === null || isVague(text, start, question.slice(index + text.length))) return []
      const hasDay = start.isCertain('day') || start.isCertain('weekday')
      const isRelative = start.isCertain('weekday') || /\b(last|this|past|ago)\b/i.test(text)
      if (!start.isCertain('year') && !isRelative)
        return start.isCertain('month') ? [{ month, day: hasDay ? start.get('day') : null }] : []
      const from = startOf(text, pastOf(text, start, now), hasDay)
      const until = end
        ? addUnit('day', startOfDay(end.date()))
        : addUnit(unitOf(text, hasDay), from)
      return [{ from: from.toISOString(), to: until.toISOString() }]
    })

/** "On Friday" is read as the nearest one by the parser; in a question it is the last one. */
const pastOf = (text: string, start: chrono.ParsedComponents, now: Date): Date => {
  const isLast = !start.isCertain('day') && start.isCertain('weekday') && !/\bnext\b/i.test(text)
  const date = start.date()
  return isLast && date > now ? new Date(date.getTime() - 7 * DAY_MS) : date
}

/**
 * A year, a length of time ("for two weeks"), a moment ("now"), a week of another time ("the last
 * week of August"), and words that are rarely meant as days ("sat", "sun").
 */
const isVague = (text: string, start: chrono.ParsedComponents, rest: string): boolean =>
  !(start.isCertain('month') || start.isCertain('weekday')) ||
  /^(for\b|now$)/i.test(text) ||
  (/\bweeks?$/i.test(text) && /^\s+(of|in|before|after)\b/i.test(rest)) ||
  /^(mon|tue|wed|thu|fri|sat|sun)$/.test(text)

type Unit = 'day' | 'week' | 'month'

/** "Last week" is read as one day by the parser; it means all of that week. */
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
