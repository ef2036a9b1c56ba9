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

/** The maximum length of a message; content blocks beyond it are not checked. */
const CHECKED_CHARS = 32_000

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
/** The start of a question or request, for those written without a question mark. */
const QUESTION_START =
  /^(?:what|who|whose|whom|where|which|why|how|tell me|show me|can you|could you|would you|do you|please)\b/i
const MAX_UNMARKED_QUESTION_WORDS = 12

/** Verbs that ask for an answer only, however long their object is. */
const ANSWER_VERBS =
  'summari[sz]e|sum up|explain|describe|translate|define|list (?:all|every|everything|my|our|the|what|some|me)|compare|tell me|show me|give me|recap|paraphrase|rephrase|rewrite|proofread|recommend|suggest'
const POLITE =
  "please|kindly|can you|could you|would you|will you|bitte|por favor|per favore|s['’]il (?:te|vous) pla[iî]t"
/** Verbs that introduce a fact or a preference: the text after them is worth remembering. */
const KEEP_VERBS =
  "remember|remind|note|keep|save|store|record|bear|know|call me|don[’']t|do not|never|always|be|use|answer|speak|consider|merk|erinner|notier|vergiss|denk|recuerda|anota|souviens|retiens|ricorda|lembr"

const ASKS_FOR_ANSWER = new RegExp(`^(?:(?:${POLITE})[, ]+){0,2}(?:${ANSWER_VERBS})\\b`, 'iu')
const IS_POLITE = new RegExp(`^(?:${POLITE})(?![\\p{L}])`, 'iu')
const ASKS_TO_KEEP = new RegExp(`^(?:(?:${POLITE})[, ]+){1,2}(?:${KEEP_VERBS})`, 'iu')
/** A clause about the user beside the request. */
const STATES_REASON = /\b(?:because|since|so that)\b|[,;:]\s*(?:i|we|my|our|ich|wir|mein)\b/i

const MAX_POLITE_REQUEST_WORDS = 12
const MAX_REQUEST_WORDS = 40

/** Whether a sentence of so many words only asks for something, so that there is nothing to remember. */
const isRequestSentence = (sentence: string, words: number): boolean => {
  if (words > MAX_REQUEST_WORDS || STATES_REASON.test(sentence) || ASKS_TO_KEEP.test(sentence))
    return false
  if (ASKS_FOR_ANSWER.test(sentence)) return true
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
