import { MAX_TEXT_LENGTH } from '../../shared/contract/common.ts'
import { CHINESE_REQUEST, JAPANESE_REQUEST, requestWords } from './request-words.ts'

const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
const sentenceSegmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** Content words: shorter ones are mostly function words. */
const LONG_WORDS = /[\p{L}\p{N}]{4,}/gu
/** Scripts without spaces are compared by pairs of characters. */
const UNSPACED_RUNS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]+/gu
const COMPARED_CHARS = 200_000
/** An answer adds information when at least so many of its content words are new, */
const MIN_NEW_WORDS = 8
/** and they are at least this share of them. */
const MIN_NEW_SHARE = 0.4

/** Content blocks beyond the length of a message are not checked. */
const CHECKED_CHARS = MAX_TEXT_LENGTH

const countWords = (text: string): number =>
  [...wordSegmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length

const contentWords = (text: string): Set<string> => {
  const lower = text.slice(0, COMPARED_CHARS).toLowerCase()
  const unspaced = lower.match(UNSPACED_RUNS) ?? []
  const spaced = lower.replace(UNSPACED_RUNS, ' ').match(LONG_WORDS) ?? []
  return new Set([...spaced, ...unspaced.flatMap(characterPairs)])
}

const characterPairs = (run: string): string[] =>
  Array.from({ length: run.length - 1 }, (_, i) => run.slice(i, i + 2))

const QUESTION_END = /[?\u037E\u061F\uFF1F][\s"'”’»)]*$/
const MAX_UNMARKED_QUESTION_WORDS = 12

const anyOf = (kind: keyof (typeof requestWords)[number]): string =>
  `(?:${requestWords.map((words) => words[kind]).join('|')})`

/** The start of a question or request, for those written without a question mark. */
const QUESTION_START = new RegExp(`^${anyOf('question')}(?!\\p{L})`, 'iu')
const ASKS_FOR_ANSWER = new RegExp(
  `^(?:${anyOf('polite')}[, ]+){0,2}${anyOf('answer')}(?!\\p{L})`,
  'iu',
)
const IS_POLITE = new RegExp(`^${anyOf('polite')}(?!\\p{L})`, 'iu')
const ASKS_TO_KEEP = new RegExp(`^(?:${anyOf('polite')}[, ]+){1,2}${anyOf('keep')}`, 'iu')
const STATES_FACT = new RegExp(
  `(?:(?<!\\p{L})${anyOf('reason')}|[,;:]\\s${anyOf('own')})(?!\\p{L})`,
  'iu',
)

const MAX_POLITE_REQUEST_WORDS = 12
const MAX_REQUEST_WORDS = 40

/** Whether a sentence of so many words only asks for something, so that there is nothing to remember. */
const isRequestSentence = (sentence: string, words: number): boolean => {
  if (words > MAX_REQUEST_WORDS || STATES_FACT.test(sentence) || ASKS_TO_KEEP.test(sentence))
    return false
  const asks = [ASKS_FOR_ANSWER, CHINESE_REQUEST, JAPANESE_REQUEST]
  if (asks.some((pattern) => pattern.test(sentence))) return true
  return words <= MAX_POLITE_REQUEST_WORDS && IS_POLITE.test(sentence)
}

/**
 * Whether a message contains more than questions, requests and greetings. Those hold nothing to recall,
 * and as memories they would rank above their own answers.
 */
export const containsStatement = (message: string): boolean => {
  const text = message.trim().slice(0, CHECKED_CHARS)
  const count = countWords(text)
  if (count < 2) return false
  if (count <= MAX_UNMARKED_QUESTION_WORDS && QUESTION_START.test(text) && !/[.!]$/.test(text))
    return false
  return [...sentenceSegmenter.segment(text)].some(({ segment }) => {
    const sentence = segment.trim()
    const words = countWords(sentence)
    return words > 1 && !QUESTION_END.test(sentence) && !isRequestSentence(sentence, words)
  })
}

/**
 * Whether an answer contains enough words that its sources do not. An answer that only repeats memories
 * is not worth one of its own: recall would return both.
 */
export const addsInformation = (answer: string, sources: string[]): boolean => {
  const words = contentWords(answer)
  const known = contentWords(sources.join('\n'))
  const added = words.difference(known).size
  return added >= MIN_NEW_WORDS && added >= words.size * MIN_NEW_SHARE
}
