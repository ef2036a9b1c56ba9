import type { Unit } from './date-spans.ts'

/** The names of times in a language: those of CLDR (`Intl`), and the few that it does not have. */
export interface DateWords {
  /** By month, from 0: the forms of its name. */
  months: string[][]
  /** By day, from 0 for Sunday: the words of its name. */
  weekdays: string[][]
  /** "Gestern", "letzte Woche": the words of each, in order. */
  spans: { words: string[]; unit: Unit; count: number }[]
  units: Record<Unit, string[]>
  /** The words of "ago" before and after the number and the unit. */
  ago: { before: string[]; after: string[] }
  numbers: string[]
  /** The beginnings of "last" and "past". */
  last: string[]
  before: string[]
  after: string[]
  since: string[]
  in: string[]
  every: string[]
  /** Whether names of four letters or fewer change their endings, too. */
  isInflected: boolean
}

const UNITS: readonly Unit[] = ['day', 'week', 'month', 'year']

/** The words that CLDR does not have: `numbers` from two to ten. */
interface OwnWords {
  locale: string
  numbers?: string
  last?: string
  before?: string
  after?: string
  since?: string
  in?: string
  every?: string
  isInflected?: boolean
}

/** By language. */
const OWN_WORDS: Record<string, OwnWords> = {
  english: {
    locale: 'en',
    numbers: 'two three|few four five six seven eight nine ten',
    last: 'last past previous',
    before: 'before until',
    after: 'after',
    since: 'since',
    in: 'in during of year',
    every: 'every each',
  },
  german: {
    locale: 'de',
    numbers: 'zwei drei vier fünf sechs sieben acht neun zehn',
    last: 'letzt vergangen vorig',
    before: 'vor bis',
    after: 'nach',
    since: 'seit ab',
    in: 'in im jahr jahre',
    every: 'jeden jede jeder jedes jedem alle',
  },
  french: {
    locale: 'fr',
    numbers: 'deux trois quatre cinq six sept huit neuf dix',
    last: 'derni pass',
    before: 'avant jusqu',
    after: 'après',
    since: 'depuis dès',
    in: 'en de',
    every: 'chaque tous toutes',
  },
  spanish: {
    locale: 'es',
    numbers: 'dos tres cuatro cinco seis siete ocho nueve diez',
    last: 'últim pasad',
    before: 'antes hasta',
    after: 'después',
    since: 'desde',
    in: 'en de',
    every: 'cada todos todas',
  },
  italian: {
    locale: 'it',
    numbers: 'due tre quattro cinque sei sette otto nove dieci',
    last: 'ultim scors passat',
    before: 'prima fino',
    after: 'dopo',
    since: 'da dal dalla',
    in: 'in nel del',
    every: 'ogni tutti tutte',
  },
  portuguese: {
    locale: 'pt',
    numbers: 'dois|duas três quatro cinco seis sete oito nove dez',
    last: 'últim passad',
    before: 'antes até',
    after: 'depois após',
    since: 'desde',
    in: 'em de',
    every: 'cada todos todas todo toda',
  },
  dutch: {
    locale: 'nl',
    numbers: 'twee drie vier vijf zes zeven acht negen tien',
    last: 'laatst afgelopen vorig',
    before: 'voor tot',
    after: 'na',
    since: 'sinds vanaf',
    in: 'in jaar',
    every: 'elke elk iedere ieder alle',
  },
  swedish: {
    locale: 'sv',
    numbers: 'två tre fyra fem sex sju åtta nio tio',
    last: 'senast sista förr',
    before: 'före innan',
    after: 'efter',
    since: 'sedan',
    in: 'i under år',
    every: 'varje alla',
  },
  danish: {
    locale: 'da',
    numbers: 'to tre fire fem seks syv otte ni ti',
    last: 'sidst senest forrig',
    before: 'før inden',
    after: 'efter',
    since: 'siden',
    in: 'i år',
    every: 'hver hvert alle',
  },
  norwegian: {
    locale: 'nb',
    numbers: 'to tre fire fem seks sju|syv åtte ni ti',
    last: 'sist forrig',
    before: 'før innen',
    after: 'etter',
    since: 'siden',
    in: 'i år',
    every: 'hver hvert alle',
  },
  russian: {
    locale: 'ru',
    numbers: 'два|две три четыре пять шесть семь восемь девять десять',
    last: 'последн прошл',
    before: 'до перед',
    after: 'после',
    since: 'с',
    in: 'в за',
    isInflected: true,
    every: 'каждый каждую каждое каждые по все',
  },
  finnish: { locale: 'fi', last: 'viime', isInflected: true, every: 'joka jokainen' },
  hungarian: { locale: 'hu', last: 'elmúlt utóbbi múlt', isInflected: true, every: 'minden' },
  turkish: { locale: 'tr', last: 'son geçen', isInflected: true, every: 'her' },
  romanian: {
    locale: 'ro',
    last: 'ultim trecut',
    before: 'înainte',
    after: 'după',
    in: 'în',
    every: 'fiecare toate',
  },
  catalan: {
    locale: 'ca',
    last: 'últim passad',
    before: 'abans',
    after: 'després',
    in: 'el en',
    every: 'cada tots totes',
  },
  greek: {
    locale: 'el',
    last: 'τελευταί',
    before: 'πριν',
    after: 'μετά',
    isInflected: true,
    every: 'κάθε',
  },
  lithuanian: {
    locale: 'lt',
    last: 'paskutin',
    before: 'prieš',
    after: 'po',
    isInflected: true,
    every: 'kiekvieną kas',
  },
  indonesian: {
    locale: 'id',
    before: 'sebelum',
    after: 'setelah',
    since: 'sejak',
    in: 'pada',
    every: 'setiap tiap',
  },
  arabic: { locale: 'ar', before: 'قبل', after: 'بعد', since: 'منذ', in: 'في', every: 'كل' },
  hindi: { locale: 'hi', last: 'पिछल', in: 'में', every: 'हर प्रत्येक' },
}

export const lettersOf = (text: string): string[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? []

const known = new Map<string, DateWords>()

/** @param language a language, by the name that memories store. @returns undefined for one that is not known. */
export const dateWords = (language: string): DateWords | undefined => {
  const own = OWN_WORDS[language]
  if (!own) return undefined
  const words = known.get(language) ?? readWords(own)
  known.set(language, words)
  return words
}

const listOf = (words = ''): string[] => words.split(' ').filter(Boolean)

const readWords = ({ locale, isInflected = false, ...own }: OwnWords): DateWords => {
  const format = (options: Intl.DateTimeFormatOptions, date: Date): string[] =>
    lettersOf(new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options }).format(date)).filter(
      (word) => /\p{L}{2}/u.test(word),
    )
  const longest = (words: string[]): string[] =>
    words.toSorted((a, b) => b.length - a.length).slice(0, 1)
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const spans = UNITS.flatMap((unit) =>
    (unit === 'day' ? [-2, -1, 0] : [-1, 0]).map((count) => ({
      unit,
      count,
      words: lettersOf(relative.format(count, unit)),
    })),
  )
  return {
    months: Array.from({ length: 12 }, (_, month) => {
      const date = new Date(Date.UTC(2024, month, 13))
      return [
        ...longest(format({ month: 'long' }, date)),
        ...longest(format({ month: 'long', day: 'numeric' }, date)),
      ]
    }),
    weekdays: Array.from({ length: 7 }, (_, day) =>
      format({ weekday: 'long' }, new Date(Date.UTC(2024, 8, 1 + day))),
    ),
    spans: spans.filter(({ words }) => !words.some((word) => /^\p{N}/u.test(word))),
    units: Object.fromEntries(UNITS.map((unit) => [unit, unitForms(locale, unit)])) as Record<
      Unit,
      string[]
    >,
    ago: agoOf(locale),
    numbers: listOf(own.numbers),
    last: listOf(own.last),
    before: listOf(own.before),
    after: listOf(own.after),
    since: listOf(own.since),
    in: listOf(own.in),
    every: listOf(own.every),
    isInflected,
  }
}

const unitForms = (locale: string, unit: Unit): string[] => {
  const counted = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
  const ago = new Intl.RelativeTimeFormat(locale, { numeric: 'always' })
  const { before, after } = agoOf(locale)
  const forms = [1, 2, 3, 5].flatMap((count) => [
    ...lettersOf(counted.format(count)),
    ...lettersOf(ago.format(-count, unit)),
  ])
  const isUnit = (word: string) =>
    !/^\p{N}/u.test(word) && !before.includes(word) && !after.includes(word)
  return [...new Set(forms.filter(isUnit))]
}

/** The words around "3 days" in "3 days ago". */
const agoOf = (locale: string): DateWords['ago'] => {
  const words = lettersOf(
    new Intl.RelativeTimeFormat(locale, { numeric: 'always', style: 'long' }).format(-3, 'week'),
  )
  const at = words.indexOf('3')
  return { before: words.slice(0, at), after: words.slice(at + 2) }
}
