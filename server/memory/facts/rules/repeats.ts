/** What happens again and again does so in one of these. */
export type Period = 'day' | 'week' | 'month' | 'year'

const WORDS: Record<Period, string> = {
  day: 'day|morning|afternoon|evening|night|tag|morgen|nachmittag|abend|día|dia|días|mañana|tarde|noche|jour|jours|matin|matins|soir|soirs',
  week: 'week|woche|semana|semaine|monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lunes|martes|miércoles|jueves|viernes|sábado|domingo|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche',
  month: 'month|monat|mes|mois',
  year: 'year|jahr|año|année|ans',
}
const WEEK = /^(?:week|woche|semana|semaine)$/i
const LATE = /^(?:afternoon|evening|night|nachmittag|abend|tarde|noche|soirs?)$/i
const MORNING = 9
const EVENING = 20
const EVERY = 'every|each|jeden?|jedes|cada|todos los|todas las|chaque|tous les'

/** Words that say something comes again; as PostgreSQL reads it too, in any case of letters. */
export const REPEATS = `(^| )(${EVERY}) (${Object.values(WORDS).join('|')})s?(?= |$|[,.!])`
const repeats = new RegExp(REPEATS, 'iu')

/** How often something comes again that is to be done "every Monday"; undefined for what comes once. */
export const periodIn = (text: string): Period | undefined => {
  const word = repeats.exec(text)?.[3]?.toLowerCase()
  if (!word) return undefined
  const periods = Object.keys(WORDS) as Period[]
  return periods.find((period) => WORDS[period].split('|').includes(word))
}

/** Where a text says that something comes again, such as "every Monday". */
export interface Repeat {
  index: number
  text: string
  period: Period
  /** The day of the week is named. */
  isWeekday: boolean
  /** In the second half of the day. */
  isLate: boolean
}

export const repeatIn = (text: string): Repeat | undefined => {
  const found = repeats.exec(text)
  const period = periodIn(text)
  if (!found || !period) return undefined
  const word = found[3] ?? ''
  return {
    index: found.index,
    text: found[0],
    period,
    isWeekday: period === 'week' && !WEEK.test(word),
    isLate: LATE.test(word),
  }
}

/** When it is due first that comes again from now on, at nine, or at eight in the evening. */
export const firstOf = (period: Period, isLate: boolean, said: Date): Date => {
  const today = new Date(said)
  today.setUTCHours(isLate ? EVENING : MORNING, 0, 0, 0)
  return period === 'day' && today > said ? today : nth(today, period, 1)
}

/** When it comes the `count`th time after the first; the last day of a month where that is shorter. */
export const nth = (first: Date, period: Period, count: number): Date => {
  const then = new Date(first)
  if (period === 'day') then.setUTCDate(then.getUTCDate() + count)
  if (period === 'week') then.setUTCDate(then.getUTCDate() + 7 * count)
  if (period === 'month') then.setUTCMonth(then.getUTCMonth() + count)
  if (period === 'year') then.setUTCFullYear(then.getUTCFullYear() + count)
  const isOver = (period === 'month' || period === 'year') && then.getUTCDate() < first.getUTCDate()
  if (isOver) then.setUTCDate(0)
  return then
}

const DAY_MS = 24 * 60 * 60 * 1000
/** No period is shorter, so that the count below is reached or passed. */
const SHORTEST: Record<Period, number> = {
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 28 * DAY_MS,
  year: 365 * DAY_MS,
}

/** The last time that it came by `now`; the first if that is still to come. */
export const lastBy = (first: Date, period: Period, now: Date): Date => {
  let count = Math.max(0, Math.floor((now.getTime() - first.getTime()) / SHORTEST[period]))
  while (count > 0 && nth(first, period, count) > now) count--
  return nth(first, period, count)
}
