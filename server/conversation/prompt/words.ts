const words = new Intl.Segmenter(undefined, { granularity: 'word' })
const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** Shorter words hold a sentence together and say little. Where no spaces are written, two characters count. */
const WORDS = /[\p{L}\p{N}]{4,}/gu
const WRITTEN_TOGETHER = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]+/gu
/** More of a text is not compared. */
const COMPARED_CHARS = 200_000
/** An answer has news when so many of its words are its own … */
const NEW_WORDS = 8
/** … and they are this share of it. */
const NEW_SHARE = 0.4

const wordsOf = (text: string): string[] =>
  [...words.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)

const contentWords = (text: string): Set<string> => {
  const lower = text.slice(0, COMPARED_CHARS).toLowerCase()
  const together = lower.match(WRITTEN_TOGETHER) ?? []
  const spaced = lower.replace(WRITTEN_TOGETHER, ' ').match(WORDS) ?? []
  return new Set([...spaced, ...together.flatMap(pairsOf)])
}

const pairsOf = (run: string): string[] =>
  Array.from({ length: run.length - 1 }, (_, i) => run.slice(i, i + 2))

const QUESTION_END = /[?\u037E\u061F\uFF1F][\s"'”’»)]*$/
/** A question or a request that somebody wrote without its mark. */
const BEGINS_ASKING =
  /^(?:what|who|whose|whom|where|which|why|how|tell me|show me|can you|could you|would you|do you|please)\b/i
const MAX_ASKING_WORDS = 12

/**
 * Whether a message says something, rather than only asks or greets. A question holds nothing to
 * recall, and is like nothing more than itself: kept as a memory it would stand before its answers.
 */
export const saysSomething = (message: string): boolean => {
  const text = message.trim()
  const count = wordsOf(text).length
  if (count < 2) return false
  if (count <= MAX_ASKING_WORDS && BEGINS_ASKING.test(text) && !/[.!]$/.test(text)) return false
  return [...sentences.segment(text)].some(
    ({ segment }) => wordsOf(segment).length > 1 && !QUESTION_END.test(segment.trim()),
  )
}

/**
 * Whether an answer says enough that was not in what it was made from to be worth remembering. One
 * that repeats memories would stand beside them in every recall, and once more each time it is given.
 */
export const hasNews = (answer: string, sources: string[]): boolean => {
  const said = contentWords(answer)
  const known = contentWords(sources.join('\n'))
  const fresh = said.difference(known).size
  return fresh >= NEW_WORDS && fresh >= said.size * NEW_SHARE
}
