import { DAY_MS } from '../../../shared/duration.ts'
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
import { type DateWords, dateWords } from './date-words.ts'
import { HOLIDAYS } from './holidays.ts'

/** `spans`: only counted periods until now, years and holidays, which the parser of English dates does not read. */
type Parts = 'all' | 'spans'

export interface DatesRead {
  mentions: Mention[]
  /** The text with spaces instead of what was read. */
  rest: string
}

interface Token {
  word: string
  at: number
  end: number
}

interface Reading {
  tokens: Token[]
  /** The tokens that a date was read from. */
  read: Set<Token>
  words: DateWords
  /** The local time, in the UTC fields. */
  now: Date
  parts: Parts
  found: Mention[]
}

/**
 * Reads the times that a question names with the words of a language: "letzte Woche", "il y a trois jours",
 * "en mai 2023".
 * @param language a language, by the name that memories store.
 */
export const readWordedDates = (
  text: string,
  language: string,
  now: Date,
  parts: Parts,
): DatesRead => {
  const words = dateWords(language)
  if (!words) return { mentions: [], rest: text }
  const tokens = Array.from(text.matchAll(/[\p{L}\p{M}]+|\p{N}+/gu), ({ 0: word, index }) => ({
    word: word.toLowerCase(),
    at: index,
    end: index + word.length,
  }))
  const reading = { tokens, read: new Set<Token>(), words, now, parts, found: [] }
  readHabits(reading)
  readAgo(reading)
  readLast(reading)
  readSpans(reading)
  if (parts === 'all') {
    readMonths(reading)
    readWeekdays(reading)
  }
  readYears(reading, text)
  readHolidays(reading, text)
  let rest = text
  for (const { at, end } of reading.read) rest = blank(rest, at, end - at)
  return { mentions: reading.found, rest }
}

/** Replaces a part of a text with spaces. */
export const blank = (text: string, at: number, length: number): string =>
  text.slice(0, at) + ' '.repeat(length) + text.slice(at + length)

/** A name of a time, with an ending. */
const isForm = (word: string, name: string, { isInflected }: DateWords): boolean => {
  if (word === name) return true
  if (!isInflected) return word === `${name}s`
  let shared = 0
  while (shared < name.length && word[shared] === name[shared]) shared++
  return name.length < 5
    ? shared >= Math.max(2, name.length - 1) && word.length <= name.length + 1
    : shared >= Math.max(4, name.length - 2) && word.length <= name.length + 4
}

/** Words such as "letzten" for "letzte": the first letters are the same. */
const isAlike = (word: string, other: string): boolean =>
  word === other ||
  (Math.min(word.length, other.length) > 4 &&
    word.slice(0, other.length - 2) === other.slice(0, -2) &&
    word.length <= other.length + 2)

const beginsWith = (word: string | undefined, beginnings: string[]): boolean =>
  word !== undefined && beginnings.some((beginning) => word.startsWith(beginning))

const isFree = ({ read }: Reading, tokens: (Token | undefined)[]): boolean =>
  tokens.every((token) => token !== undefined && !read.has(token))

/** The relation that the words before a time name; up to three short words may stand between. */
const directionAt = ({ tokens, words }: Reading, at: number): Direction => {
  for (let i = at - 1; i >= Math.max(0, at - 3); i--) {
    const word = tokens[i]?.word ?? ''
    if (words.before.includes(word)) return 'before'
    if (words.after.includes(word)) return 'after'
    if (words.since.includes(word)) return 'since'
    if (word.length > 4) break
  }
  return 'in'
}

const add = (reading: Reading, from: number, to: number, span: Span): void => {
  reading.found.push(inDirection(directionAt(reading, from), span))
  for (const token of reading.tokens.slice(from, to)) reading.read.add(token)
}

const MAX_COUNT = 1_000

const numberOf = (word: string | undefined, { numbers }: DateWords): number | undefined => {
  if (word === undefined) return undefined
  if (/^\d{1,3}$/.test(word)) return Math.min(Number(word), MAX_COUNT)
  const place = numbers.findIndex((names) => names.split('|').includes(word))
  return place < 0 ? undefined : place + 2
}

/** Whether another parser reads a period of this unit, where it is not counted. */
const isReadElsewhere = ({ parts }: Reading, unit: Unit): boolean =>
  parts === 'spans' && unit !== 'year'

const unitOf = (word: string | undefined, { units }: DateWords): Unit | undefined =>
  word === undefined
    ? undefined
    : (Object.keys(units) as Unit[]).find((unit) =>
        units[unit].some((form) => word === form || isDefinite(word, form)),
      )

/** "Dagarna" for "dagar". */
const isDefinite = (word: string, form: string): boolean =>
  form.length > 3 && word.startsWith(form) && word.length <= form.length + 2

/** How many words after "every" may be of a habit: "todos los viernes", "jeden zweiten Montag". */
const MAX_HABIT_WORDS = 3
/** "Fridays", "montags", "perjantaisin", "péntekenként"; but "i fredags" is a day. */
const HABIT_ENDING = /(?:s|sin|ként|leri|ları)$/u

/** "Every Friday", "montags": a habit names no time. */
const readHabits = (reading: Reading): void => {
  const { tokens, words, read } = reading
  const isDay = (token: Token): boolean =>
    words.weekdays.some((names) => isForm(token.word, names.at(-1) ?? '', words))
  const isName = (token: Token): boolean =>
    isDay(token) ||
    unitOf(token.word, words) !== undefined ||
    words.months.some((forms) => forms.some((name) => isForm(token.word, name, words))) ||
    HOLIDAYS.some(({ names }) => names.test(token.word))
  for (const [i, token] of tokens.entries()) {
    if (words.every.includes(token.word)) {
      const to = tokens.slice(i + 1, i + 1 + MAX_HABIT_WORDS).findIndex(isName) + i + 2
      if (to > i + 1) for (const each of tokens.slice(i, to)) read.add(each)
    } else if (HABIT_ENDING.test(token.word) && isDay(token) && tokens[i - 1]?.word !== 'i') {
      const isBare = words.weekdays.some((names) => names.at(-1) === token.word)
      if (!isBare) read.add(token)
    }
  }
}

/** "Vor drei Wochen": the whole week, as in "three weeks ago". */
const readAgo = (reading: Reading): void => {
  const { tokens, words, now } = reading
  const { before, after } = words.ago
  for (let i = before.length; i < tokens.length; i++) {
    const count = numberOf(tokens[i]?.word, words)
    const unit = unitOf(tokens[i + 1]?.word, words)
    const from = i - before.length
    const to = i + 2 + after.length
    const around = [...tokens.slice(from, i), ...tokens.slice(i + 2, to)].map(({ word }) => word)
    if (!count || !unit || isReadElsewhere(reading, unit)) continue
    if (around.join() !== [...before, ...after].join()) continue
    if (isFree(reading, tokens.slice(from, to)))
      add(reading, from, to, unitSpan(unit, addUnits(unit, now, -count)))
  }
}

/** "In den letzten drei Tagen", "ces trois derniers jours": until now; and "último mes": the one before. */
const readLast = (reading: Reading): void => {
  const { tokens, words, now } = reading
  for (const [i, { word }] of tokens.entries()) {
    const unit = unitOf(word, words)
    if (!unit) continue
    // Between the first and the last word that belong to the unit.
    let from = i
    let to = i + 1
    let count: number | undefined
    let isLast = false
    for (let at = i - 1; at >= i - 2 && at >= 0; at--) {
      const number = numberOf(tokens[at]?.word, words)
      const last = beginsWith(tokens[at]?.word, words.last)
      if (number === undefined && !last) break
      count ??= number
      isLast ||= last
      from = at
    }
    if (!isLast && beginsWith(tokens[to]?.word, words.last)) {
      isLast = true
      to++
    }
    if (!isLast || (!count && isReadElsewhere(reading, unit))) continue
    if (!isFree(reading, tokens.slice(from, to))) continue
    const tomorrow = addUnits('day', startOfUnit('day', now), 1)
    const span = count
      ? { from: startOfUnit('day', addUnits(unit, now, -count)), to: tomorrow }
      : unitSpan(unit, addUnits(unit, startOfUnit(unit, now), -1))
    add(reading, from, to, span)
  }
}

/** "Gestern", "diese Woche", and "igår" for "i går". */
const readSpans = (reading: Reading): void => {
  const { tokens, words, now } = reading
  const longestFirst = words.spans
    .filter(({ unit }) => !isReadElsewhere(reading, unit))
    .toSorted((a, b) => b.words.length - a.words.length)
  for (const { words: wanted, unit, count } of longestFirst)
    for (let i = 0; i < tokens.length; i++) {
      const isJoined = wanted.length > 1 && tokens[i]?.word === wanted.join('')
      const to = i + (isJoined ? 1 : wanted.length)
      const part = tokens.slice(i, to)
      if (to > tokens.length || !isFree(reading, part)) continue
      if (isJoined || part.every(({ word }, place) => isAlike(word, wanted[place] ?? '')))
        add(reading, i, to, unitSpan(unit, addUnits(unit, startOfUnit(unit, now), count)))
    }
}

/** Words between a day, a month and a year: "4 de mayo de 2023". */
const CONNECTORS = new Set(['de', 'del', 'di', 'of', 'd'])

/** A month with its day and year, or the last one: "mai dernier". */
const readMonths = (reading: Reading): void => {
  const { tokens, words, now } = reading
  for (const [i, token] of tokens.entries()) {
    const month = words.months.findIndex((forms) =>
      forms.some((name) => isForm(token.word, name, words)),
    )
    if (month < 0 || !isFree(reading, [token])) continue
    let from = i
    let to = i + 1
    const skip = (at: number, step: number): number =>
      CONNECTORS.has(tokens[at]?.word ?? '') ? at + step : at
    const dayOf = (at: number) =>
      /^(?:0?[1-9]|[12]\d|3[01])$/.test(tokens[at]?.word ?? '')
        ? Number(tokens[at]?.word)
        : undefined
    const before = skip(i - 1, -1)
    let day = dayOf(before)
    if (day !== undefined) from = before
    else {
      day = dayOf(to)
      if (day !== undefined) to++
    }
    const at = skip(to, 1)
    const year = /^(?:19|20)\d\d$/.test(tokens[at]?.word ?? '') ? tokens[at]?.word : undefined
    if (year !== undefined) to = at + 1
    const isLast =
      beginsWith(tokens[from - 1]?.word, words.last) || beginsWith(tokens[to]?.word, words.last)
    const direction = directionAt(reading, from)
    if (year === undefined && direction === 'in' && !isLast) {
      reading.found.push({ month: month + 1, day: day ?? null })
      for (const each of tokens.slice(from, to)) reading.read.add(each)
      continue
    }
    const date = new Date(Date.UTC(Number(year ?? now.getUTCFullYear()), month, day ?? 1))
    const span = unitSpan(day === undefined ? 'month' : 'day', date)
    add(reading, from, to, year === undefined ? inThePast(span, now) : span)
  }
}

/** The last one. */
const readWeekdays = (reading: Reading): void => {
  const { tokens, words, now } = reading
  for (const [weekday, names] of words.weekdays.entries())
    for (let i = 0; i + names.length <= tokens.length; i++) {
      const part = tokens.slice(i, i + names.length)
      if (names.length === 0 || !isFree(reading, part)) continue
      if (!part.every(({ word }, place) => isForm(word, names[place] ?? '', words))) continue
      const today = startOfUnit('day', now)
      const days = (today.getUTCDay() - weekday + 7) % 7
      add(reading, i, i + names.length, unitSpan('day', new Date(today.getTime() - days * DAY_MS)))
    }
}

const YEAR = /^(?:19|20)\d\d$/

/** A year after a preposition, with "year", or at the end: elsewhere it may be a part of a name. */
const readYears = (reading: Reading, text: string): void => {
  const { tokens, words } = reading
  for (const [i, token] of tokens.entries()) {
    if (!YEAR.test(token.word) || !isFree(reading, [token])) continue
    const isPart =
      /[\p{L}\p{N}./:_-]$/u.test(text.slice(0, token.at)) ||
      /^[./:_-]?[\p{L}\p{N}]/u.test(text.slice(token.end))
    const previous = tokens[i - 1]?.word ?? ''
    const relations = [...words.in, ...words.before, ...words.after, ...words.since]
    const isYear =
      unitOf(previous, words) === 'year' || unitOf(tokens[i + 1]?.word, words) === 'year'
    const isAtEnd = reading.parts === 'all' && i === tokens.length - 1
    if (isPart || !(isYear || isAtEnd || relations.includes(previous))) continue
    add(reading, i, i + 1, unitSpan('year', new Date(Date.UTC(Number(token.word), 0, 1))))
  }
}

/** The last one that has begun. */
const readHolidays = (reading: Reading, text: string): void => {
  const { tokens, now } = reading
  for (const { names, daysOf } of HOLIDAYS) {
    const match = names.exec(text)
    if (!match) continue
    const to = match.index + match[0].length
    const from = tokens.findIndex(({ end }) => end > match.index)
    const until = tokens.findLastIndex(({ at }) => at < to) + 1
    if (!isFree(reading, tokens.slice(from, until))) continue
    const next = tokens[until]?.word ?? ''
    const year = YEAR.test(next) ? Number(next) : undefined
    const years = year ? [year] : [now.getUTCFullYear() + 1, now.getUTCFullYear()]
    const past = years.map(daysOf).find(({ from: begin }) => year || begin <= now)
    add(reading, from, year ? until + 1 : until, past ?? daysOf(now.getUTCFullYear() - 1))
  }
}
