import { DAY_MS } from '../../../shared/duration.ts'

/** Local times, in the UTC fields. */
export interface Span {
  from: Date
  to: Date
}

export type Mention = { from: Date | null; to: Date | null } | { month: number; day: number | null }

/** The relation of the time asked for to a date: in it, before it, after it, or from it on. */
export type Direction = 'in' | 'before' | 'after' | 'since'

export type Unit = 'day' | 'week' | 'month' | 'year'

const startOfDay = (date: Date): Date => new Date(Math.floor(date.getTime() / DAY_MS) * DAY_MS)

/** The beginning of the day, the week from Monday, the month or the year of a date. */
export const startOfUnit = (unit: Unit, date: Date): Date => {
  const day = startOfDay(date)
  switch (unit) {
    case 'day':
      return day
    case 'week':
      return new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * DAY_MS)
    case 'month':
      return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1))
    case 'year':
      return new Date(Date.UTC(day.getUTCFullYear(), 0, 1))
  }
}

/** @param count may be negative. A day that the month does not have is its last one. */
export const addUnits = (unit: Unit, date: Date, count: number): Date => {
  if (unit === 'day' || unit === 'week')
    return new Date(date.getTime() + count * (unit === 'week' ? 7 : 1) * DAY_MS)
  const months = date.getUTCMonth() + count * (unit === 'year' ? 12 : 1)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(date.getUTCFullYear(), months, Math.min(date.getUTCDate(), lastDay)))
}

/** The whole unit that a date is in. */
export const unitSpan = (unit: Unit, date: Date): Span => {
  const from = startOfUnit(unit, date)
  return { from, to: addUnits(unit, from, 1) }
}

/** Moves a span of any year to the last year in which it has begun. */
export const inThePast = ({ from, to }: Span, now: Date): Span => {
  const shift = now.getUTCFullYear() - from.getUTCFullYear()
  const years = addUnits('year', from, shift) > now ? shift - 1 : shift
  return { from: addUnits('year', from, years), to: addUnits('year', to, years) }
}

export const inDirection = (direction: Direction, { from, to }: Span): Mention => {
  if (direction === 'before') return { from: null, to: from }
  if (direction === 'after') return { from: to, to: null }
  return direction === 'since' ? { from, to: null } : { from, to }
}
