import { estimateTokens } from '../../platform/models/prompt.ts'

/** Words of fewer letters are mostly function words. */
const LONG_WORDS = /[\p{L}\p{N}]{4,}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu
/** A memory gets at least so many tokens, if the budget has them: less than a sentence says nothing. */
export const MIN_PASSAGE_TOKENS = 24

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

export const wordsOf = (text: string): Set<string> =>
  new Set(text.slice(0, 10_000).toLowerCase().match(LONG_WORDS))

const CUT = '…'
const sentenceSegmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/**
 * The passage of a text that has at most so many tokens and the most words of the question: whole
 * sentences, where one fits.
 */
export const cutToTokens = (text: string, tokens: number, words: ReadonlySet<string>): string => {
  if (estimateTokens(text) <= tokens) return text
  if (tokens < MIN_PASSAGE_TOKENS / 2) return ''
  const sentences = [...sentenceSegmenter.segment(text)].map(({ segment }) => segment)
  const scores = sentences.map((sentence) => wordsOf(sentence).intersection(words).size)
  let start = scores.indexOf(Math.max(...scores))
  let end = start + 1
  const passage = (from: number, to: number): string =>
    [
      from > 0 ? `${CUT} ` : '',
      sentences.slice(from, to).join('').trim(),
      to < sentences.length ? ` ${CUT}` : '',
    ].join('')
  const fits = (from: number, to: number) => estimateTokens(passage(from, to)) <= tokens
  if (!fits(start, end)) return cutSentence(sentences[start] ?? '', tokens)
  for (;;) {
    if (end < sentences.length && fits(start, end + 1)) end += 1
    else if (start > 0 && fits(start - 1, end)) start -= 1
    else return passage(start, end)
  }
}

/** The beginning of a sentence, up to a word that fits. */
const cutSentence = (sentence: string, tokens: number): string => {
  const bytes = Math.max(0, tokens * 3 - Buffer.byteLength(` ${CUT}`))
  const head = Buffer.from(sentence.trim())
    .subarray(0, bytes)
    .toString()
    .replace(/\uFFFD$/, '')
  const space = head.lastIndexOf(' ')
  return `${(space > head.length / 2 ? head.slice(0, space) : head).trimEnd()} ${CUT}`
}
