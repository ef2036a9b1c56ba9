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
import { HOLIDAYS } from './holidays.ts'

const SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const LOCALES = ['ja', 'zh-Hans', 'zh-Hant', 'ko']
const NUMERAL = '\\d{1,3}|[一二三四五六七八九十两兩]{1,3}'
const DIGITS = '一二三四五六七八九'

/** "十二" is 12. */
const numberOf = (text: string): number => {
  if (/^\d/.test(text)) return Number(text)
  if (/^[两兩]$/u.test(text)) return 2
  const digit = (character = '') => DIGITS.indexOf(character) + 1
  const [tens, ones] = text.split('十')
  return text.includes('十') ? 10 * digit(tens || '一') + (ones ? digit(ones) : 0) : digit(text)
}

const UNIT_WORDS: [RegExp, Unit][] = [
  [/^(?:天|日|일)/u, 'day'],
  [/^(?:周|週|星期|礼拜|禮拜|주)/u, 'week'],
  [/^(?:[个個か]?月|ヶ月|カ月|개월|달)/u, 'month'],
  [/^(?:年|년)/u, 'year'],
]
const UNIT = '天|日|일|周|週|(?:[个個])?(?:星期|礼拜|禮拜)|[个個かヶカ]月|개월|달|年|년'

const unitOf = (word: string): Unit =>
  UNIT_WORDS.find(([pattern]) => pattern.test(word.replace(/^[个個](?=星|礼|禮)/u, '')))?.[1] ??
  'month'

const AGO = new RegExp(`(${NUMERAL})\\s*(${UNIT})間?\\s*(?:之?前|以前|전)`, 'gu')
const LAST = new RegExp(
  `(?:过去|過去|最近|近|この|ここ|지난|최근)的?\\s*(${NUMERAL})\\s*(${UNIT})`,
  'gu',
)
const DATE = new RegExp(
  `(?:(\\d{4})\\s*[年년]\\s*)?(${NUMERAL})\\s*[月월](?:\\s*(${NUMERAL})\\s*[日号號일])?`,
  'gu',
)
const MONTH_LAST_YEAR = new RegExp(`(?:去年|昨年|작년)的?\\s*(?=(?:${NUMERAL})\\s*[月월])`, 'gu')
const YEAR = /((?:19|20)\d\d)\s*[年년]/gu

/** "昨日", "上周", "지난달": those of CLDR, and others. */
const spanWords = (): [string, Unit, number][] => {
  const named = LOCALES.flatMap((locale) => {
    const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
    return (['day', 'week', 'month', 'year'] as const).flatMap((unit) =>
      (unit === 'day' ? [-2, -1, 0] : [-1, 0]).map((count): [string, Unit, number] => [
        format.format(count, unit),
        unit,
        count,
      ]),
    )
  })
  return [...named, ['去年', 'year', -1] as [string, Unit, number]].toSorted(
    ([a], [b]) => b.length - a.length,
  )
}

/** By day, from 0 for Sunday. */
const weekdayNames = (): string[][] =>
  Array.from({ length: 7 }, (_, day) => [
    ...LOCALES.map((locale) =>
      new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(
        new Date(Date.UTC(2024, 8, 1 + day)),
      ),
    ),
    `周${'日一二三四五六'[day]}`,
    `週${'日一二三四五六'[day]}`,
  ])

/** The words around the weekday of a habit: "毎週金曜日", "每周五", "매주 금요일", "금요일마다". */
const EVERY = /(?:毎週?|每逢?[个個]?|매주?)[の\s]{0,2}$/u
const EACH = /^마다/

let shared: { spans: [string, Unit, number][]; weekdays: string[][] } | undefined

/** The relation that follows a time: "5月之前", "圣诞节后", "5월부터". */
const directionAfter = (after: string): Direction => {
  const text = after
    .trimStart()
    .replace(/^[的の]/u, '')
    .trimStart()
  if (/^(?:之前|以前|前|まで|이전|전)/u.test(text)) return 'before'
  if (/^(?:之后|之後|以后|以後|后|後|이후|후)/u.test(text)) return 'after'
  return /^(?:以来|以來|以降|から|부터)/u.test(text) ? 'since' : 'in'
}

/** Reads the times that a question in Chinese, Japanese or Korean names. `now` is local, in the UTC fields. */
export const readUnspacedDates = (text: string, now: Date): Mention[] => {
  if (!SCRIPT.test(text)) return []
  shared ??= { spans: spanWords(), weekdays: weekdayNames() }
  const found: Mention[] = []
  let rest = text.replace(MONTH_LAST_YEAR, `${now.getUTCFullYear() - 1}年`)
  const today = startOfUnit('day', now)
  const read = (
    pattern: RegExp | string,
    mentionOf: (match: string[], after: string, before: string) => Mention | undefined,
  ): void => {
    rest = rest.replaceAll(pattern, (...all) => {
      const groups = all.filter((part) => typeof part === 'string' || part === undefined)
      const [match = ''] = groups as string[]
      const at = all.find((part) => typeof part === 'number') as number
      const after = rest.slice(at + match.length)
      const mention = mentionOf(groups as string[], after, rest.slice(0, at))
      if (mention) found.push(mention)
      return ' '.repeat(match.length)
    })
  }
  const placed = (span: Span, after: string): Mention => inDirection(directionAfter(after), span)
  read(AGO, ([, count = '', unit = '']) => {
    const of = unitOf(unit)
    return unitSpan(of, addUnits(of, today, -numberOf(count)))
  })
  read(LAST, ([, count = '', unit = '']) => ({
    from: addUnits(unitOf(unit), today, -numberOf(count)),
    to: addUnits('day', today, 1),
  }))
  for (const [words, unit, count] of shared.spans)
    read(words, (_, after) =>
      placed(unitSpan(unit, addUnits(unit, startOfUnit(unit, now), count)), after),
    )
  read(DATE, ([, year, month = '', day], after) => {
    const direction = directionAfter(after)
    if (year === undefined && direction === 'in')
      return { month: numberOf(month), day: day === undefined ? null : numberOf(day) }
    const date = new Date(
      Date.UTC(Number(year ?? now.getUTCFullYear()), numberOf(month) - 1, day ? numberOf(day) : 1),
    )
    const span = unitSpan(day === undefined ? 'month' : 'day', date)
    return inDirection(direction, year === undefined ? inThePast(span, now) : span)
  })
  read(YEAR, ([, year = ''], after) =>
    placed(unitSpan('year', new Date(Date.UTC(Number(year), 0, 1))), after),
  )
  for (const [weekday, names] of shared.weekdays.entries())
    for (const name of names)
      read(name, (_, after, before) => {
        if (EVERY.test(before) || EACH.test(after)) return undefined
        const days = (today.getUTCDay() - weekday + 7) % 7
        return placed(unitSpan('day', new Date(today.getTime() - days * DAY_MS)), after)
      })
  for (const { unspaced, daysOf } of HOLIDAYS)
    if (unspaced)
      read(unspaced, (_, after) => {
        const thisYear = daysOf(now.getUTCFullYear())
        return placed(
          thisYear.from <= now ? thisYear : daysOf(now.getUTCFullYear() - 1),
          after.replace(/^[节節日]/u, ''),
        )
      })
  return found
}
