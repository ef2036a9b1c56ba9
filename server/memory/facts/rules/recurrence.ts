import { DAY_MS } from '../../../../shared/duration.ts'
import { alternatives } from '../../../../shared/text/alternatives.ts'
import { instantAt, wallClock } from '../../../platform/timezone.ts'

/** A recurrence every `every` units; `weekday` is Monday to Friday. */
interface Period {
  unit: 'day' | 'weekday' | 'week' | 'month' | 'year'
  every: number
}
type Unit = Period['unit']

/** In each unit, longer alternatives come before their prefixes. */
const WORDS: Record<Unit, string> = {
  weekday: alternatives(`
        weekday | workday | working day | business day | werktage? | wochentage? | día laborable
        días laborables | jour ouvrée? | jours ouvrés | jour ouvrable | jours ouvrables
      `),
  day: alternatives(`
      day | morning | afternoon | evening | night | tage? | morgen | nachmittage? | abende? | día
      dia | días | mañana | tarde | noche | jour | jours | matin | matins | soir | soirs
    `),
  week: alternatives(`
      week | fortnight | wochen? | semana | semaine | monday | tuesday | wednesday | thursday
      friday | saturday | sunday | montag | dienstag | mittwoch | donnerstag | freitag | samstag
      sonntag | lunes | martes | miércoles | jueves | viernes | sábado | domingo | lundi | mardi
      mercredi | jeudi | vendredi | samedi | dimanche
    `),
  month: 'month|monate?|meses|mes|mois',
  year: 'year|jahre?|año|année|ans?',
}
const WEEK = /^(?:week|fortnight|wochen?|semana|semaine)$/i
const LATE = /^(?:afternoon|evening|night|nachmittage?|abende?|tarde|noche|soirs?)$/i
const MORNING = 9
const EVENING = 20
const EVERY = 'every|each|jede[nrs]?|alle|cada|todos los|todas las|chaque|tous les|toutes les'

/** Number words in English, German, Spanish and French. */
const COUNTS: Record<number, string> = {
  2: 'two|other|second|zwei|zweite[nrs]?|andere[nrs]?|dos|segundo|segunda|deux|deuxième|seconde?',
  3: 'three|third|drei|dritte[nrs]?|tres|tercer|tercera|trois|troisième',
  4: 'four|fourth|vier|vierte[nrs]?|cuatro|cuarto|cuarta|quatre|quatrième',
  5: 'five|fifth|fünf|fünfte[nrs]?|cinco|cinq',
  6: 'six|sixth|sechs|sechste[nrs]?|seis',
  7: 'seven|seventh|sieben|siete|sept',
  8: 'eight|eighth|acht|ocho|huit',
  9: 'nine|ninth|neun|nueve|neuf',
  10: 'ten|tenth|zehn|diez|dix',
  11: 'eleven|elf|onze',
  12: 'twelve|zwölf|doce|douze',
  14: 'fourteen|vierzehn|catorce|quatorze',
  15: 'fifteen|fünfzehn|quince|quinze',
}
const COUNT = `${Object.values(COUNTS).join('|')}|[1-9]\\d?(?:[.]|st|nd|rd|th)?`
const WORD = Object.values(WORDS).join('|')
/** "Every second Monday of the month" is not every second week. */
const OF_A_MONTH = ' (?:of (?:the|each|every) month|del mes|du mois|im monat|des monats)'

/** The start of `RECURRENCE`. PostgreSQL tests it first, which takes a fiftieth of the time. */
export const RECURRENCE_PREFIX = `(^| )(${EVERY}|une? [^ ]+ sur) `

/** A recurrence such as "every Monday", as a case-insensitive pattern that PostgreSQL reads too. */
export const RECURRENCE =
  `(?:^| )(?:(?:${EVERY}) (?:(${COUNT}) (?!(?:${WORD})s?${OF_A_MONTH}))?(${WORD})s?` +
  `|une? (${WORD}) sur (${COUNT}))(?= |$|[,.!])`
const repeats = new RegExp(RECURRENCE, 'iu')

/** A recurrence in a text, such as "every Monday". */
export interface Recurrence {
  index: number
  text: string
  period: Period
  /** The name of the weekday; empty without one. */
  weekday: string
  /** In the afternoon or later. */
  isLate: boolean
}

export const recurrenceIn = (text: string): Recurrence | undefined => {
  const found = repeats.exec(text)
  const word = found?.[2] ?? found?.[3]
  const unit = word && unitOf(word)
  if (!found || !unit) return undefined
  return {
    index: found.index,
    text: found[0],
    period: { unit, every: countOf(found[1] ?? found[4], word) },
    weekday: unit === 'week' && !WEEK.test(word) ? word : '',
    isLate: LATE.test(word),
  }
}

/** The period of a task such as "swim every Monday"; undefined for one that does not recur. */
export const periodIn = (text: string): Period | undefined => recurrenceIn(text)?.period

// Reads at most 100 characters: a word.
const isOneOf = (words: string, word: string) => new RegExp(`^(?:${words})$`, 'iu').test(word)

const unitOf = (word: string): Unit | undefined =>
  (Object.keys(WORDS) as Unit[]).find((unit) => isOneOf(WORDS[unit], word))

const FORTNIGHT = 2
const countOf = (text: string | undefined, word: string): number => {
  const named = Object.keys(COUNTS).find((count) =>
    isOneOf(COUNTS[Number(count)] ?? '', text ?? ''),
  )
  const count = Number(named ?? Number.parseInt(text ?? '1', 10))
  // French and Spanish call two weeks fifteen days.
  if (count === 15 && /^(?:jours?|d[ií]as?)$/i.test(word)) return 14
  return /^fortnight$/i.test(word) ? FORTNIGHT * count : count
}

/**
 * The first due time of a recurring reminder without a date, at 09:00 or 20:00 local time: today or the
 * next day for days and weekdays, otherwise after one whole period.
 */
export const firstOccurrence = (period: Period, isLate: boolean, wall: Date): Date => {
  const today = new Date(wall)
  today.setUTCHours(isLate ? EVENING : MORNING, 0, 0, 0)
  const { unit, every } = period
  const mayBeToday = every === 1 && (unit === 'day' || (unit === 'weekday' && isWorkday(today)))
  return mayBeToday && today > wall ? today : nthOccurrence(today, period, 1)
}

/** Moves a time on a weekend to the next weekday if the period is in weekdays. */
export const onAllowedDay = ({ unit }: Period, wall: Date): Date =>
  unit === 'weekday' && !isWorkday(wall) ? workdayAfter(wall, 1) : wall

/** The local time of occurrence `count`, from 0; the last day of a month that is too short. */
const nthOccurrence = (first: Date, { unit, every }: Period, count: number): Date => {
  const then = new Date(first)
  const times = every * count
  if (unit === 'weekday') return workdayAfter(first, times)
  if (unit === 'day') then.setUTCDate(then.getUTCDate() + times)
  if (unit === 'week') then.setUTCDate(then.getUTCDate() + 7 * times)
  if (unit === 'month') then.setUTCMonth(then.getUTCMonth() + times)
  if (unit === 'year') then.setUTCFullYear(then.getUTCFullYear() + times)
  const isOver = (unit === 'month' || unit === 'year') && then.getUTCDate() < first.getUTCDate()
  if (isOver) then.setUTCDate(0)
  return then
}

const [SUNDAY, SATURDAY] = [0, 6]
const WORKDAYS = 5
const isWorkday = (date: Date) => date.getUTCDay() !== SUNDAY && date.getUTCDay() !== SATURDAY

const workdayAfter = (first: Date, count: number): Date => {
  const then = new Date(first)
  const move = (days: number) => then.setUTCDate(then.getUTCDate() + days)
  if (count === 0) return then
  // A weekend counts as the Friday before it.
  while (!isWorkday(then)) move(-1)
  move(7 * Math.floor(count / WORKDAYS))
  for (let left = count % WORKDAYS; left > 0; left--) {
    move(1)
    while (!isWorkday(then)) move(1)
  }
  return then
}

/** Lower bounds, so that the estimated count is never too small. */
const SHORTEST_PERIOD_MS: Record<Unit, number> = {
  day: DAY_MS,
  weekday: (7 / WORKDAYS) * DAY_MS,
  week: 7 * DAY_MS,
  month: 28 * DAY_MS,
  year: 365 * DAY_MS,
}
/** Covers the greatest difference between time zones, and a weekend. */
const MAX_CLOCK_DIFFERENCE_MS = 2 * DAY_MS

/**
 * The last occurrence by `now`; the first one if that is in the future. The local hour in the time zone of
 * the first one stays the same in summer and winter.
 */
export const lastOccurrence = (first: Date, period: Period, now: Date, timezone: string): Date => {
  const { time, count } = lastCount(first, period, now, timezone)
  return time(count)
}

/** The first occurrence after `now`. */
export const nextOccurrence = (first: Date, period: Period, now: Date, timezone: string): Date => {
  const { time, count } = lastCount(first, period, now, timezone)
  const last = time(count)
  return last > now ? last : time(count + 1)
}

const lastCount = (first: Date, period: Period, now: Date, timezone: string) => {
  const wall = wallClock(first, timezone)
  const time = (count: number) => instantAt(nthOccurrence(wall, period, count), timezone)
  const elapsed = now.getTime() - first.getTime() + MAX_CLOCK_DIFFERENCE_MS
  let count = Math.max(0, Math.floor(elapsed / (SHORTEST_PERIOD_MS[period.unit] * period.every)))
  while (count > 0 && time(count) > now) count--
  return { time, count }
}
