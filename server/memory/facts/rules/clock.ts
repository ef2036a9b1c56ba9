import { alternatives } from '../../../../shared/text/alternatives.ts'
import type { DateLanguage } from './dates.ts'

/** The numbers of hours and minutes in words, by language. */
const NUMBERS: Record<DateLanguage, Record<string, number>> = {
  en: numbered('one two three four five six seven eight nine ten eleven twelve', {
    fifteen: 15,
    twenty: 20,
    'twenty-five': 25,
    thirty: 30,
    'forty-five': 45,
    quarter: 15,
  }),
  de: numbered('eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf', {
    viertel: 15,
    zwanzig: 20,
  }),
  es: numbered('una dos tres cuatro cinco seis siete ocho nueve diez once doce', {
    cuarto: 15,
    quince: 15,
    veinte: 20,
    veinticinco: 25,
    media: 30,
    treinta: 30,
  }),
  fr: numbered('une deux trois quatre cinq six sept huit neuf dix onze douze', {
    quart: 15,
    quinze: 15,
    vingt: 20,
    'vingt-cinq': 25,
    demi: 30,
    demie: 30,
    trente: 30,
  }),
}

function numbered(words: string, others: Record<string, number>): Record<string, number> {
  return { ...Object.fromEntries(words.split(' ').map((word, i) => [word, i + 1])), ...others }
}

const anyOf = (language: DateLanguage) =>
  Object.keys(NUMBERS[language])
    .toSorted((one, other) => other.length - one.length)
    .join('|')
const numeral = (language: DateLanguage, name: string) =>
  `(?<${name}>\\d{1,2}|${anyOf(language)})(?![\\p{L}\\d])`
const END = '(?![\\p{L}\\d])'

/** Days that the parser does not know. */
const DAYS: Record<DateLanguage, [RegExp, string][]> = {
  en: [],
  de: [
    [/(?<![\p{L}])um ein Uhr/giu, 'um 1 Uhr'],
    [
      new RegExp(
        `\\b(${alternatives(`
          morgen | übermorgen | montag | dienstag | mittwoch | donnerstag | freitag | samstag
          sonntag
        `)}) früh (?=um |gegen )`,
        'giu',
      ),
      '$1 ',
    ],
    [
      /(morgen|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag) früh(?![\p{L}])/giu,
      '$1 um 9 Uhr',
    ],
  ],
  es: [
    [/(?<![\p{L}])pasado mañana(?![\p{L}])/giu, 'en 2 días'],
    [
      /(?<![\p{L}])por la (mañana|tarde|noche),? (a las? [^ ]{1,12}(?: (?:y|menos) \p{L}{1,12})?)(?![\p{L}])/giu,
      '$2 de la $1',
    ],
  ],
  fr: [[/(?<![\p{L}])apr[eè]s-demain(?![\p{L}])/giu, 'dans 2 jours']],
}

/** Parts of the day after an hour. */
const LATE = alternatives(`
      abends | nachmittags | am abend | am nachmittag | de la tarde | de la noche | du soir
      de l'après-midi | in the evening | in the afternoon | at night
    `)
const EARLY = alternatives(`
      morgens | früh | vormittags | mittags | nachts | am morgen | am vormittag | de la mañana
      de la madrugada | del mediodía | du matin | du mat | in the morning
    `)

/** How a language says the hour: `hour`, `minute`, or `after` or `before` it in minutes, and `part` of the day. */
const FORMS: Record<DateLanguage, RegExp[]> = {
  en: [
    form(
      `(?:(?<half>half)|(?:a )?${numeral('en', 'shift')}(?: minutes)?) (?:(?<before>to)|past|after) ${numeral('en', 'hour')}`,
      'at',
    ),
    form(`(?<hour>\\d{1,2}) ?h(?<minute>\\d{2})?${END}`, 'at'),
    form(
      `(?<word>${anyOf('en')})(?: (?<after>fifteen|thirty|forty-five))?(?: o'?clock)?${END}(?! (?:${alternatives(`
          of | the | my | our | their | his | her | more | other | weeks? | days? | hours?
          minutes? | people
        `)}))`,
      'at',
    ),
  ],
  de: [
    form(`halb ${numeral('de', 'half')}(?: Uhr)?`, '(?:um|gegen|ab|bis)'),
    form(
      `${numeral('de', 'shift')}(?: Minuten)? (?:(?<before>vor)|nach) ${numeral('de', 'hour')}(?: Uhr)?`,
      '(?:um|gegen|ab|bis)',
    ),
    form(`(?<hour>\\d{1,2})[.:](?<minute>\\d{2})(?: ?(?:Uhr|h))?${END}`, '(?:um|gegen|ab|bis)'),
    form(`(?<hour>\\d{1,2}) ?(?:Uhr|h) ?(?<minute>\\d{2})?${END}`, '(?:um|gegen|ab|bis)'),
    form(`${numeral('de', 'hour')}(?: Uhr)?`, '(?:um|gegen)'),
    form(`(?<midnight>Mitternacht)${END}`, '(?:um|gegen)'),
  ],
  es: [
    form(
      `${numeral('es', 'hour')}(?:(?:[:.](?<minute>\\d{2}))|(?: (?:y|(?<before>menos)) ${numeral('es', 'shift')}))?(?: ?(?:h|hs|hrs|horas)\\.?${END})?(?: en punto)?`,
      'a las?',
    ),
    form(`(?<hour>\\d{1,2}) ?h(?<minute>\\d{2})${END}`, 'a las?'),
    form(`(?<noon>mediod[ií]a)${END}`, 'al?'),
    form(`(?<midnight>medianoche)${END}`, 'a(?: la)?'),
  ],
  fr: [
    form(
      `${numeral('fr', 'hour')} ?(?:h|heures?)(?: (?:et |(?<before>moins )(?:le )?)?${numeral('fr', 'shift')})?${END}`,
      '(?:à|vers|dès|avant)',
    ),
    form(`(?<hour>\\d{1,2}) ?(?:h|heures?) ?(?<minute>\\d{2})${END}`, '(?:à|vers|dès|avant)'),
    form(
      `(?<noon>midi)(?: (?:et |(?<before>moins )(?:le )?)${numeral('fr', 'shift')})?${END}`,
      '(?:à|vers|avant)',
    ),
    form(`(?<midnight>minuit)${END}`, '(?:à|vers|avant)'),
  ],
}

function form(pattern: string, prepositions: string): RegExp {
  return new RegExp(
    `(?<=^|[\\s,])${prepositions} (?:genau |punkt |kurz |exactly |about |around )?${pattern}(?: (?:(?<late>${LATE})|(?<early>${EARLY}))${END})?`,
    'giu',
  )
}

/** Follows the preposition of an hour that is in digits already, so that no other form reads it again. */
const READ = '\u0001'

/** The preposition before an hour, and the mark after it, as the parser of dates reads them. */
const WRITTEN: Record<DateLanguage, (time: string) => string> = {
  en: (time) => `at${READ} ${time}`,
  de: (time) => `um${READ} ${time} Uhr`,
  es: (time) => `a las${READ} ${time}`,
  fr: (time) => `à${READ} ${time}`,
}

const HALF_DAY = 12
const MINUTES = 60
const LAST_MINUTE = 24 * MINUTES - 1

const minutesOf = (groups: Record<string, string | undefined>, language: DateLanguage): number => {
  const read = (text: string | undefined): number | undefined =>
    text === undefined ? undefined : (NUMBERS[language][text.toLowerCase()] ?? Number(text))
  const { half, hour, word, minute, shift, before, after, late, early, noon, midnight } = groups
  if (midnight) return 0
  // "Halb zehn" is half past nine; "half past nine" is not.
  const isHalfBefore = language === 'de' && half !== undefined
  let hours = noon ? HALF_DAY : (read(isHalfBefore ? half : (hour ?? word)) ?? 0)
  let minutes = read(minute) ?? read(after) ?? 0
  if (shift !== undefined) minutes = (before ? -1 : 1) * (read(shift) ?? 0)
  if (half) minutes = isHalfBefore ? -30 : 30
  if (late && hours < HALF_DAY) hours += HALF_DAY
  if (early && /nacht|madrugada/i.test(early) && hours === HALF_DAY) hours = 0
  return hours * MINUTES + minutes
}

/**
 * Writes the hours of a sentence in digits, which the parser of dates reads in each language: "à 9 heures et
 * demie" is "à 9:30". Hours without a preposition may be durations and stay.
 */
export const withClockTimes = (text: string, language: DateLanguage): string =>
  FORMS[language]
    .reduce(
      (current, pattern) =>
        current.replace(pattern, (...match) => {
          const groups = match.at(-1) as Record<string, string | undefined>
          const total = minutesOf(groups, language)
          if (!(total >= 0 && total <= LAST_MINUTE)) return match[0] as string
          const time = `${Math.floor(total / MINUTES)}:${String(total % MINUTES).padStart(2, '0')}`
          const isMorning = language === 'en' && groups.early
          const isEvening = language === 'en' && groups.late && total < HALF_DAY * MINUTES
          return WRITTEN[language](`${time}${isMorning ? ' am' : ''}${isEvening ? ' pm' : ''}`)
        }),
      DAYS[language].reduce((current, [pattern, day]) => current.replace(pattern, day), text),
    )
    .replaceAll(READ, '')
