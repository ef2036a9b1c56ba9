/** Letters whose mark Unicode does not separate, and other forms of a letter. */
const LETTERS = new Map(
  Object.entries({
    ł: 'l',
    ø: 'o',
    đ: 'd',
    ð: 'd',
    þ: 'th',
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ı: 'i',
    ς: 'σ',
    ة: 'ه',
    ى: 'ي',
  }),
)
const OTHER_FORM = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'gu')
const ASCII_WORD = /^[a-z]+$/
const WORD = /^[\p{L}\p{M}]+$/u
/** Marks of scripts in which they are often left out; in others they are vowels. */
const MARKS =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}])\p{Mn}+/gu

/** A term as it is compared: without marks, and Hangul as letters. Undefined for codes and single letters. */
export const comparable = (term: string): string | undefined => {
  if (term.length < 2) return undefined
  if (ASCII_WORD.test(term)) return term
  if (!WORD.test(term)) return undefined
  return term
    .normalize('NFD')
    .replace(MARKS, '')
    .replace(OTHER_FORM, (letter) => LETTERS.get(letter) ?? letter)
}

const HANGUL = /^[\u1100-\u11ff]/
const DENSE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const ABJAD = /^[\p{Script=Hebrew}\p{Script=Arabic}]/u
const UNSPACED = /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Languages that write a compound as one word. */
const COMPOUNDING = new Set(
  'german dutch swedish danish norwegian finnish hungarian simple'.split(' '),
)
/** Languages whose stemmer leaves different stems of a word, or that have none. */
const INFLECTED = new Set('arabic finnish hungarian lithuanian simple turkish'.split(' '))

/** Hebrew and Arabic write "and", "the", "in", "to" and "from" before a word without a space. */
const PREFIXES = /^(?:[והבלמשכ]{1,2}(?=[א-ת]{3})|[وفبكل]?(?:ال|لل)(?=.{3}))/u

/**
 * How a term is like another word: 4 the same without marks, 3 spelled otherwise, 2 with another ending or prefix,
 * 1 a part of it in a language without spaces, 0 not.
 */
export const likenessOf = (word: string, term: string, language: string): number => {
  if (word === term) return 4
  if (word.length > 3 && withoutUmlauts(word) === withoutUmlauts(term)) return 3
  if (DENSE.test(word)) return isPart(word, term, 2) ? 1 : 0
  if (UNSPACED.test(word)) return isPart(word, term, 4) ? 1 : 0
  if (isMisspelled(word, term)) return 3
  if (word.replace(PREFIXES, '') === term.replace(PREFIXES, '')) return 2
  return isInflected(word, term, language) ? 2 : 0
}

/** "Mueller" for "Müller", which has lost its marks. */
const withoutUmlauts = (word: string): string => word.replace(/(?<=[aou])e/g, '')

const isPart = (one: string, other: string, least: number): boolean => {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= least && (long.startsWith(short) || long.endsWith(short))
}

/**
 * From so many letters on a word may have one mistake, and two. A consonant in the place of another is two, and so is a
 * vowel in a word of fewer letters: "grandma" is not "grandpa", and "letter" not "litter".
 */
const ONE_MISTAKE = 6
const TWO_MISTAKES = 9
const OTHER_VOWEL = 7
const VOWEL = /[aeiouyаеёиоуыэюяαεηιουω]/

const isMisspelled = (word: string, term: string): boolean => {
  const shorter = Math.min(word.length, term.length)
  const difference = Math.abs(word.length - term.length)
  if (shorter < 4 || difference > 2 || word[0] !== term[0]) return false
  if (shorter < ONE_MISTAKE) return isSwapped(word, term)
  return mistakes(word, term, shorter) <= (shorter < TWO_MISTAKES ? 1 : 2)
}

/** Two neighbouring letters are exchanged, or one stands twice. */
const isSwapped = (word: string, term: string): boolean => {
  const single = (text: string): string => text.replace(/(.)\1/gu, '$1')
  if (word.length !== term.length) return single(word) === single(term)
  const at = sharedStart(word, term)
  const swapped = word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2)
  return swapped === term
}

/** How many letters are to be inserted, deleted, replaced, or exchanged with the next one. */
const mistakes = (one: string, other: string, shorter: number): number => {
  const costOf = (a = '', b = ''): number => {
    if (a === b) return 0
    return shorter >= OTHER_VOWEL && VOWEL.test(a) && VOWEL.test(b) ? 1 : 2
  }
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSwap = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row[j] = Math.min(
        (last[j - 1] ?? 0) + costOf(one[i - 1], other[j - 1]),
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        isSwap && i > 1 && j > 1 ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = row
  }
  return last[other.length] ?? 0
}

const sharedStart = (one: string, other: string): number => {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}

/** Korean particles, and the endings of languages whose words have many. */
const isInflected = (word: string, term: string, language: string): boolean => {
  const isKorean = HANGUL.test(word)
  // Two syllables may begin with the same letter.
  const [one, other] = isKorean ? [word.normalize('NFC'), term.normalize('NFC')] : [word, term]
  const shared = sharedStart(one, other)
  const rest = Math.max(one.length, other.length) - shared
  if (isKorean) return shared >= 2 && rest <= 3
  if (!INFLECTED.has(language)) return false
  if (shared >= 5 && rest <= 3) return true
  // Scripts that write no short vowels say more with as many letters.
  if (shared >= 4 && rest <= (ABJAD.test(word) ? 2 : 1)) return true
  const hasVowels = /[aeiouy]$/.test(word) && /[aeiouy]$/.test(term)
  return hasVowels && shared === 3 && word.length === 4 && term.length === 4
}

/** A term of the vocabulary with its comparable form. */
export interface Term {
  term: string
  form: string
}

/** The shortest part of a compound, and what may stand between two parts of it: "s", "en", "ungs". */
const MIN_PART = 4
/** A part of so many letters may have a shorter one beside it. */
const LONG_PART = 6
const MIN_REST = 3
const MAX_LINK = 4

const leastRest = (part: number): number => (part < LONG_PART ? MIN_PART : MIN_REST)

/** The terms of the parts of a compound: those of its last part first, then those of its first part; or the compounds that a word is a part of. */
export const partsOf = (word: string, terms: Term[], language: string): string[][] => {
  const isEnd = (long: string, short: string) => long.length > short.length && long.endsWith(short)
  const isStart = (long: string, short: string) =>
    long.length > short.length && long.startsWith(short)
  const longest = (found: Term[]): Term[] => {
    const length = Math.max(...found.map(({ form }) => form.length))
    return found.filter(({ form }) => form.length === length)
  }
  const long = terms.filter(({ form }) => form.length >= MIN_PART)
  const heads = longest(long.filter(({ form }) => isEnd(word, form)))
  const firsts = longest(long.filter(({ form }) => isStart(word, form)))
  const lengthOf = ([first]: Term[]): number => first?.form.length ?? 0
  const namesOf = (found: Term[]): string[] => found.map(({ term }) => term)
  const between = word.length - lengthOf(heads) - lengthOf(firsts)
  if (lengthOf(heads) && lengthOf(firsts) && between >= 0 && between <= MAX_LINK)
    return [namesOf(heads), namesOf(firsts)]
  if (!COMPOUNDING.has(language)) return []
  const rest = word.length - lengthOf(heads)
  if (lengthOf(heads) && rest >= leastRest(lengthOf(heads))) return [namesOf(heads)]
  if (lengthOf(firsts) > MIN_PART && lengthOf(firsts) * 2 >= word.length) return [namesOf(firsts)]
  if (word.length < MIN_PART) return []
  const whole = terms.filter(
    ({ form }) =>
      form.length - word.length >= leastRest(word.length) &&
      (isEnd(form, word) || isStart(form, word)),
  )
  return whole.length ? [namesOf(whole)] : []
}
