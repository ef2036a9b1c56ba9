import { DAY_MS } from '../../../shared/duration.ts'
import { alternatives } from '../../../shared/text/alternatives.ts'
import { wholeWords } from '../text/whole-words.ts'
import type { Span } from './date-spans.ts'

/** A holiday that people date events by, with its days in a year. */
interface Holiday {
  names: RegExp
  /** In Chinese, Japanese and Korean. */
  unspaced?: RegExp
  daysOf(year: number): Span
}

/** @param month from 1. */
const days = (year: number, month: number, day: number, count: number): Span => {
  const from = new Date(Date.UTC(year, month - 1, day))
  return { from, to: new Date(from.getTime() + count * DAY_MS) }
}

/** Easter Sunday of the Gregorian calendar (Meeus, Jones and Butcher). */
const easterSunday = (year: number): Date => {
  const a = year % 19
  const century = Math.floor(year / 100)
  const rest = year % 100
  const d = Math.floor((century + 8) / 25)
  const epact =
    (19 * a + century - Math.floor(century / 4) - Math.floor((century - d + 1) / 3) + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - epact - (rest % 4)) % 7
  const m = Math.floor((a + 11 * epact + 22 * weekday) / 451)
  const sum = epact + weekday - 7 * m + 114
  return new Date(Date.UTC(year, Math.floor(sum / 31) - 1, (sum % 31) + 1))
}

export const HOLIDAYS: readonly Holiday[] = [
  {
    names: wholeWords(
      alternatives(`
        christmas(?: eve| day)? | xmas | weihnacht\\p{L}{0,5} | heiligabend | noël | navidad\\p{L}{0,2}
        kerst(?:mis)? | jul(?:en|afton)? | рождеств\\p{L}{1,2} | joulu\\p{L}{0,5} | crăciun\\p{L}{0,2}
      `),
      '(?<=(?:a|di|prima di|dopo) )natale',
      '(?<=(?:no|do|o) )natal',
    ),
    unspaced: /圣诞|聖誕|クリスマス|크리스마스|성탄절/gu,
    daysOf: (year) => days(year, 12, 24, 3),
  },
  {
    names: wholeWords(
      alternatives(`
        new year['’]?s?(?: eve| day)? | silvester | neujahr | nouvel an | año nuevo | nochevieja | capodanno
        ano novo | oud en nieuw | nieuwjaar | nyår\\p{L}{0,6} | нов\\p{L}{2,3} год\\p{L}{0,2}
      `),
    ),
    unspaced: /元旦|正月|大晦日|새해/gu,
    daysOf: (year) => days(year - 1, 12, 31, 2),
  },
  {
    names: wholeWords(
      alternatives(`
        easter(?: sunday| monday)? | ostern | osterferien | pâques | semana santa | pascua | pasqua | páscoa
        pasen | påsk\\p{L}{0,2} | пасх\\p{L}{1,2}
      `),
    ),
    unspaced: /复活节|復活節|イースター|부활절/gu,
    daysOf: (year) => {
      const friday = new Date(easterSunday(year).getTime() - 2 * DAY_MS)
      return { from: friday, to: new Date(friday.getTime() + 4 * DAY_MS) }
    },
  },
  { names: wholeWords('halloween'), daysOf: (year) => days(year, 10, 31, 1) },
  {
    names: wholeWords("valentine['’]?s(?: day)?", 'valentinstag', 'saint-valentin', 'san valentín'),
    unspaced: /情人节|バレンタイン/gu,
    daysOf: (year) => days(year, 2, 14, 1),
  },
  {
    names: wholeWords('thanksgiving'),
    daysOf: (year) => {
      const first = new Date(Date.UTC(year, 10, 1)).getUTCDay()
      return days(year, 11, 1 + ((4 - first + 7) % 7) + 21, 1)
    },
  },
]
