import type { ParsedResult } from 'chrono-node'
import * as de from 'chrono-node/de'
import * as en from 'chrono-node/en'
import * as es from 'chrono-node/es'
import * as fr from 'chrono-node/fr'
import * as ja from 'chrono-node/ja'
import * as zh from 'chrono-node/zh/hans'
import type { RecalledMemory } from '../../shared/contract/recall.ts'
import { DAY_MS } from '../../shared/duration.ts'
import { alternatives } from '../../shared/text/alternatives.ts'
import { memoryDay } from '../memory/recall/moments.ts'
import { detectLanguages } from '../memory/text/language.ts'
import { wallClock } from '../platform/timezone.ts'

const PARSERS = { en, de, es, fr, ja, zh }
type Language = keyof typeof PARSERS
const LATIN: Partial<Record<string, Language>> = { german: 'de', spanish: 'es', french: 'fr' }
/** The form of dates. */
const LOCALES: Record<Language, string> = {
  en: 'en-GB',
  de: 'de',
  es: 'es',
  fr: 'fr',
  ja: 'ja',
  zh: 'zh',
}

const ASKS_FOR_TIME = new RegExp(
  alternatives(`
      \\b(?:when|wann|quand|cu[aá]ndo|how long ago|(?:what|which) (?:date|day|month|year))\\b | 什么时候
      何时 | 哪[天年] | 几[号月] | いつ | 何[日月年]
    `),
  'iu',
)

/** Whether a question asks for a date. */
export const asksForTime = (question: string): boolean => ASKS_FOR_TIME.test(question)

/** A relative time in a text, and the date that it means. */
export interface SaidTime {
  text: string
  means: string
}

type Said = Pick<RecalledMemory, 'occurred_at' | 'created_at'>

/** The day that a memory was said, in words. */
export const dayInWords = (memory: Said, timezone: string): string =>
  formatDay(new Date(memoryDay(memory, timezone)), 'en')

/** The times that a passage of a memory names relative to the day it was said: "yesterday", "last Friday". */
export const saidTimes = async (
  passage: string,
  memory: Said,
  timezone: string,
): Promise<SaidTime[]> => {
  const language = await languageOf(passage)
  const day = memoryDay(memory, timezone)
  const wall = wallClock(new Date(memory.occurred_at ?? memory.created_at), timezone)
  const said = wall.toISOString().startsWith(day) ? wall : new Date(day)
  const seasons =
    language === 'en' ? [...seasonsIn(passage, said), ...weekendsIn(passage, said)] : []
  const found = PARSERS[language]
    .parse(passage, { instant: said, timezone: 0 })
    .flatMap((parsed) => {
      const means = meaningOf(parsed, passage, { said, language })
      return means ? [{ text: parsed.text, means }] : []
    })
  return [...seasons, ...found]
}

const languageOf = async (text: string): Promise<Language> => {
  if (/[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text)) return 'ja'
  if (/\p{sc=Han}/u.test(text)) return 'zh'
  return LATIN[detectLanguages(text)[0] ?? ''] ?? 'en'
}

interface Context {
  said: Date
  language: Language
}

const WEEKS = /weeks?\b|woche|semaine|semana|[周週]$/i
const WEEKEND = /weekend/i
/** "May" and "sat" are mostly other words; "5 pm" is no day; "for two days" is a duration. */
const VAGUE = /^(?:may|march|mar|sat|sun|mon|now|for .*)$/
/** How much is not known. */
const FEW = /\b(?:few|couple of|several|some) (\w+) ago$/i

/** The date that a time means; undefined if it says so itself, or names no day, month or year. */
const meaningOf = (
  { text, index, start }: ParsedResult,
  passage: string,
  { said, language }: Context,
): string | undefined => {
  const isDay = start.isCertain('day')
  const isWeekday = start.isCertain('weekday') && !isDay
  const isMonth = start.isCertain('month')
  const isYear = start.isCertain('year')
  const isWeek = WEEKS.test(text)
  if (VAGUE.test(text) || start.isCertain('second')) return undefined
  if (!(isDay || isWeekday || isMonth || isYear || isWeek)) return undefined
  if (isYear && text.includes(String(start.get('year')))) return undefined
  const date = start.date()
  if (language === 'en' && FEW.test(text)) return beforeThat(text, said)
  if (language === 'en' && WEEKEND.test(text))
    return `the weekend ${relation(passage.slice(Math.max(0, index - 5), index + text.length))} ${formatDay(said, 'en')}`
  if (isWeek) return weekOf(text, date, { said, language })
  if (isWeekday && language === 'en') return weekdayNear(date, said)
  if (isDay || isWeekday) return formatDay(date, language)
  return isMonth ? formatMonth(date, language) : String(date.getUTCFullYear())
}

/** "A few years ago": a few years before 2023. */
const beforeThat = (text: string, said: Date): string => {
  const unit = FEW.exec(text)?.[1] ?? ''
  const before = text.replace(/ ago$/i, ' before ')
  if (/^years?$/i.test(unit)) return before + said.getUTCFullYear()
  return before + (/^months?$/i.test(unit) ? formatMonth(said, 'en') : formatDay(said, 'en'))
}

const relation = (text: string): string => {
  if (/\b(?:last|past|previous)\b/i.test(text)) return 'before'
  return /\b(?:next|coming)\b/i.test(text) ? 'after' : 'of'
}

const weekOf = (text: string, date: Date, { said, language }: Context): string => {
  const monday = new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY_MS)
  const sunday = new Date(monday.getTime() + 6 * DAY_MS)
  const range = dayFormat(language).formatRange(monday, sunday).replace(/\s–\s/, '–')
  if (language !== 'en') return range
  const ago = / ago$/i.test(text)
  const day = formatDay(said, 'en')
  return `${ago ? `${text.replace(/ ago$/i, '')} before` : `the week ${relation(text)}`} ${day}, ${range}`
}

/** "Last Friday" has more than one reading, so the answer says which it took. */
const weekdayNear = (date: Date, said: Date): string => {
  const weekday = date.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' })
  const days = Math.round((startOfDay(date) - startOfDay(said)) / DAY_MS)
  const day = formatDay(date, 'en')
  if (days === 0 || Math.abs(days) > 7) return `${weekday}, ${day}`
  return `the ${weekday} ${days < 0 ? 'before' : 'after'} ${formatDay(said, 'en')}, ${day}`
}

const startOfDay = (date: Date): number => Math.floor(date.getTime() / DAY_MS) * DAY_MS

/** The month in which a season ends, from 0. */
const SEASON_ENDS: Readonly<Record<string, number>> = { spring: 4, summer: 7, autumn: 10, fall: 10 }

/** "Last summer": the last one that was over. */
const seasonsIn = (text: string, said: Date): SaidTime[] =>
  [...text.matchAll(/\b(last|this|next) (spring|summer|autumn|fall)\b/gi)].map(
    ([found, which = '', season = '']) => {
      const isOver = said.getUTCMonth() > (SEASON_ENDS[season.toLowerCase()] ?? 0)
      const shift = { last: isOver ? 0 : -1, this: 0, next: isOver ? 1 : 0 }
      const year = said.getUTCFullYear() + (shift[which.toLowerCase() as keyof typeof shift] ?? 0)
      return { text: found, means: `${season.toLowerCase()} ${year}` }
    },
  )

const weekendsIn = (text: string, said: Date): SaidTime[] =>
  [...text.matchAll(/\b(\w+) weekends ago\b/gi)].map(([found, count]) => ({
    text: found,
    means: `${count} weekends before ${formatDay(said, 'en')}`,
  }))

const dayFormat = (language: Language) =>
  new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' })

const formatDay = (date: Date, language: Language): string => dayFormat(language).format(date)

const formatMonth = (date: Date, language: Language): string =>
  date.toLocaleDateString(LOCALES[language], { month: 'long', year: 'numeric', timeZone: 'UTC' })
