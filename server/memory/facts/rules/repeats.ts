import { instantOf, wallClock } from '../../../platform/timezone.ts'

/** What happens again and again does so every so many of these; `weekday` is Monday to Friday. */
export interface Period {
  unit: 'day' | 'weekday' | 'week' | 'month' | 'year'
  every: number
}
type Unit = Period['unit']

/** Two words go before one that they begin with. */
const WORDS: Record<Unit, string> = {
  weekday:
    'weekday|workday|working day|business day|werktage?|wochentage?|día laborable|días laborables|jour ouvrée?|jours ouvrés|jour ouvrable|jours ouvrables',
  day: 'day|morning|afternoon|evening|night|tage?|morgen|nachmittage?|abende?|día|dia|días|mañana|tarde|noche|jour|jours|matin|matins|soir|soirs',
  week: 'week|fortnight|wochen?|semana|semaine|monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lunes|martes|miércoles|jueves|viernes|sábado|domingo|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche',
  month: 'month|monate?|meses|mes|mois',
  year: 'year|jahre?|año|année|ans?',
}
const WEEK = /^(?:week|fortnight|wochen?|semana|semaine)$/i
const LATE = /^(?:afternoon|evening|night|nachmittage?|abende?|tarde|noche|soirs?)$/i
const MORNING = 9
const EVENING = 20
const EVERY = 'every|each|jede[nrs]?|alle|cada|todos los|todas las|chaque|tous les|toutes les'

/** In words, by their number: English, German, Spanish, French. */
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
/** "Every second Monday of the month" comes once a month. */
const OF_A_MONTH = ' (?:of (?:the|each|every) month|del mes|du mois|im monat|des monats)'

/** What such words begin with, which PostgreSQL looks for first: that takes it a fiftieth of the time. */
export const REPEATS_LEAD = `(^| )(${EVERY}|une? [^ ]+ sur) `

/** Words that say something comes again; as PostgreSQL reads it too, in any case of letters. */
export const REPEATS =
  `(?:^| )(?:(?:${EVERY}) (?:(${COUNT}) (?!(?:${WORD})s?${OF_A_MONTH}))?(${WORD})s?` +
  `|une? (${WORD}) sur (${COUNT}))(?= |$|[,.!])`
const repeats = new RegExp(REPEATS, 'iu')

/** Where a text says that something comes again, such as "every Monday". */
export interface Repeat {
  index: number
  text: string
  period: Period
  /** The day of the week, as it is named. */
  weekday: string
  /** In the second half of the day. */
  isLate: boolean
}

export const repeatIn = (text: string): Repeat | undefined => {
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

/** How often something comes again that is to be done "every Monday"; undefined for what comes once. */
export const periodIn = (text: string): Period | undefined => repeatIn(text)?.period

const isOneOf = (words: string, word: string) => new RegExp(`^(?:${words})$`, 'iu').test(word)

const unitOf = (word: string): Unit | undefined =>
  (Object.keys(WORDS) as Unit[]).find((unit) => isOneOf(WORDS[unit], word))

const FORTNIGHT = 2
const countOf = (said: string | undefined, word: string): number => {
  const named = Object.keys(COUNTS).find((count) =>
    isOneOf(COUNTS[Number(count)] ?? '', said ?? ''),
  )
  const count = Number(named ?? Number.parseInt(said ?? '1', 10))
  // In French and Spanish two weeks are called fifteen days.
  if (count === 15 && /^(?:jours?|d[ií]as?)$/i.test(word)) return 14
  return /^fortnight$/i.test(word) ? FORTNIGHT * count : count
}

/**
 * When it is due first that comes again from now on, at nine, or at eight in the evening: the next day
 * or weekday, or else when a whole period is over.
 */
export const firstOf = (period: Period, isLate: boolean, wall: Date): Date => {
  const today = new Date(wall)
  today.setUTCHours(isLate ? EVENING : MORNING, 0, 0, 0)
  const { unit, every } = period
  const mayBeToday = every === 1 && (unit === 'day' || (unit === 'weekday' && isWorkday(today)))
  return mayBeToday && today > wall ? today : nth(today, period, 1)
}

/** The same time of the next day on which it comes. */
export const onDayOf = ({ unit }: Period, wall: Date): Date =>
  unit === 'weekday' && !isWorkday(wall) ? workdayAfter(wall, 1) : wall

/**
 * When it comes the `count`th time after the first, on the clock of a wall; the last day of a month
 * where that is shorter.
 */
const nth = (first: Date, { unit, every }: Period, count: number): Date => {
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
  // From a weekend it is as far as from the Friday before.
  while (!isWorkday(then)) move(-1)
  move(7 * Math.floor(count / WORKDAYS))
  for (let left = count % WORKDAYS; left > 0; left--) {
    move(1)
    while (!isWorkday(then)) move(1)
  }
  return then
}

const DAY_MS = 24 * 60 * 60 * 1000
/** No period is shorter on the whole, so that the count below is reached or passed. */
const SHORTEST: Record<Unit, number> = {
  day: DAY_MS,
  weekday: (7 / WORKDAYS) * DAY_MS,
  week: 7 * DAY_MS,
  month: 28 * DAY_MS,
  year: 365 * DAY_MS,
}
/** So far are clocks of the world apart, at most, and a weekend longer than other days. */
const APART_MS = 2 * DAY_MS

/**
 * The last time that it came by `now`; the first if that is still to come. It comes at the same hour of
 * the clock: that on which the first was read, wherever the person is by now.
 */
export const lastBy = (
  first: Date,
  period: Period,
  now: Date,
  zones: { read: string; now: string },
): Date => {
  const wall = wallClock(first, zones.read)
  const time = (count: number) => instantOf(nth(wall, period, count), zones.now)
  const elapsed = now.getTime() - first.getTime() + APART_MS
  let count = Math.max(0, Math.floor(elapsed / (SHORTEST[period.unit] * period.every)))
  while (count > 0 && time(count) > now) count--
  return time(count)
}
