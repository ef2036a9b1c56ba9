import { findWords, wordsOf } from '../../shared/text/words.ts'

interface Passage {
  before: string
  /** Empty if no word of the question is in the text. */
  match: string
  after: string
  isCut: boolean
}

/** A longer memory is cut around its passage. */
const MAX_CHARS = 600
/** Context in front of the passage of a long memory. */
const CHARS_BEFORE = 150
/** A longer sentence is split at spaces. */
const MAX_SENTENCE_CHARS = 300

/** The sentence of a text that has the most words of a question, in its context. Long words count more. */
export const passageOf = (text: string, question: string): Passage => {
  const words = wordsOf(question)
  const weightOf = (sentence: string) =>
    [...new Set(findWords(sentence, words).map(({ word }) => word))].join('').length
  const found = sentencesOf(text)
  const weights = found.map(({ segment }) => weightOf(segment))
  const best = Math.max(0, ...weights)
  const { index: at, segment } = found[weights.indexOf(best)] ?? { index: 0, segment: '' }
  const match = best > 0 ? segment.trimEnd() : ''
  const isCut = text.length > MAX_CHARS
  const starts = found.map(({ index }) => index)
  const start = isCut ? (starts.find((index) => index >= at - CHARS_BEFORE) ?? at) : 0
  const end = isCut
    ? Math.max(at + match.length, starts.findLast((index) => index <= start + MAX_CHARS) ?? 0)
    : text.length
  return {
    before: `${start > 0 ? '…' : ''}${text.slice(start, at)}`,
    match,
    after: `${text.slice(at + match.length, end).trimEnd()}${end < text.length ? '…' : ''}`,
    isCut,
  }
}

const sentencesOf = (text: string): { index: number; segment: string }[] => {
  const sentences = new Intl.Segmenter('und', { granularity: 'sentence' }).segment(text)
  return [...sentences].flatMap(({ index, segment }) => splitAtSpaces(segment, index))
}

const splitAtSpaces = (text: string, index: number): { index: number; segment: string }[] => {
  const pieces: { index: number; segment: string }[] = []
  for (let at = 0; at < text.length; ) {
    const limit = at + MAX_SENTENCE_CHARS
    const space = limit < text.length ? text.lastIndexOf(' ', limit) : -1
    const end = limit >= text.length ? text.length : space > at ? space + 1 : limit
    pieces.push({ index: index + at, segment: text.slice(at, end) })
    at = end
  }
  return pieces
}
