/** A word of the query in a text. */
export interface Hit {
  word: string
  at: number
  end: number
}

const MAX_QUERY_CHARS = 2_000
const MAX_WORDS = 32
/** A word that is found more often does not tell where the text is about the query. */
const MAX_HITS_PER_WORD = 50
/** Longer words are searched without their last letters, which change with number, case and tense. */
const STEMMED_CHARS = 6

/** The words of a query in lower case, also in languages without spaces; the longest first. */
export const wordsOf = (query: string): string[] => {
  const segments = segmenter().segment(query.slice(0, MAX_QUERY_CHARS).toLowerCase())
  const words = [...segments].flatMap(({ segment, isWordLike }) =>
    isWordLike && (segment.length > 1 || !isAscii(segment)) ? [stem(segment)] : [],
  )
  return [...new Set(words)].sort((a, b) => b.length - a.length).slice(0, MAX_WORDS)
}

/** Where a text contains the words, in the order of the text. */
export const findWords = (text: string, words: string[]): Hit[] => {
  const lower = text.toLowerCase()
  // A few letters change their length in lower case, which would shift the positions.
  const searched = lower.length === text.length ? lower : text
  return words.flatMap((word) => findWord(searched, word)).sort((a, b) => a.at - b.at)
}

const findWord = (text: string, word: string): Hit[] => {
  const hits: Hit[] = []
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    if (isWordStart(text, at)) hits.push({ word, at, end: at + word.length })
    if (hits.length === MAX_HITS_PER_WORD) break
  }
  return hits
}

/** Languages with spaces are written in alphabets; a letter of other scripts may start a word anywhere. */
const isWordStart = (text: string, at: number): boolean =>
  !/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Nd}]/u.test(text.charAt(at - 1)) ||
  !/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Nd}]/u.test(text.charAt(at))

const stem = (word: string): string =>
  word.length >= STEMMED_CHARS && /^\p{L}+$/u.test(word) ? word.slice(0, -2) : word

const isAscii = (text: string): boolean => text.charCodeAt(0) < 0x80

let shared: Intl.Segmenter | undefined
const segmenter = () => {
  shared ??= new Intl.Segmenter('und', { granularity: 'word' })
  return shared
}
