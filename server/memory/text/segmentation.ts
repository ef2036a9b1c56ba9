import { mapYielding } from '../../platform/event-loop.ts'

/** Scripts that put no spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** The segmenter reads a run of such a script as a whole: 32,000 characters take 40 ms. */
const MAX_SEGMENTED_CHARACTERS = 2_000
const WORD_END = /[\p{P}\s]/u

/** @returns a normalized text with spaces between words where the script has none. */
export const separateWords = async (text: string): Promise<string> => {
  if (!UNSPACED.test(text)) return text
  const pieces = await mapYielding(splitPieces(text), separatePiece)
  return pieces.join(' ')
}

const separatePiece = (text: string): string =>
  Array.from(segmenter.segment(text), ({ segment }) => segment).join(' ')

const splitPieces = (text: string): string[] => {
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = findPieceEnd(text, start)
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

/** Ends a piece after its last punctuation mark or space, if it has one, so that no word is cut. */
const findPieceEnd = (text: string, start: number): number => {
  const end = start + MAX_SEGMENTED_CHARACTERS
  if (end >= text.length) return text.length
  for (let i = end; i > start; i--) if (WORD_END.test(text.charAt(i - 1))) return i
  return /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end
}
