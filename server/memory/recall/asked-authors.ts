import { wholeWords } from '../text/whole-words.ts'

/** Authors of the user's own messages in imported chats. */
const OWN_AUTHORS = ['user', 'human', 'the user']
/** Authors of answers in imported chats, and in those with svc. */
export const ASSISTANTS = ['assistant', 'ai', 'svc']

/**
 * Asks what the other side said or did: the second person in the past. "Can you list my …" does not, it is
 * a polite request. In languages with a stemmer that form it with an auxiliary verb or an ending.
 */
const SECOND_PERSON = wholeWords(
  "(?:did|have|had|were|was) you|you(?: have| had|['’]ve)", // English
  '(?:hast|hattest|warst) du|du (?:hast|hattest)|(?:haben|hatten) sie', // German
  '(?:me|nos) \\p{L}{2,20}(?:aste|iste)|has \\p{L}{2,20}(?:ado|ido|cho|sto)', // Spanish
  "as-tu|avez-vous|tu (?:m['’])?as|vous (?:m['’])?avez", // French
)

/** Asks for a summary of what was said, by both sides. */
const SUMMARY = wholeWords(
  'summary|summaries|summari[sz]e|recap|overview', // English
  'zusammenfassung|zusammenfassen|überblick|fasse? (?:\\p{L}{1,20} ){1,4}zusammen', // German
  'resumen|resumir|resúme(?:me|nos|lo)', // Spanish; "resume" is an English noun, too
  '(?:un|le) résumé|résume[rz]?|récapitul\\p{L}{1,10}', // French
)
/** Chinese and Japanese. */
const UNSPACED_SUMMARY = /总结|總結|概括|摘要|要約|まとめ/u

/** Whether a question asks for a summary. */
const asksForSummary = (question: string): boolean =>
  SUMMARY.test(question) || UNSPACED_SUMMARY.test(question)

/**
 * The authors whose memories a question asks for, in lower case; null stands for memories without an author.
 * Empty unless the question asks what the user or the assistant said.
 */
export const askedAuthors = (
  question: string,
  displayName: string | null | undefined,
): readonly (string | null)[] => {
  if (SECOND_PERSON.test(question)) return ASSISTANTS
  if (asksForSummary(question)) return []
  if (!isFirstPerson(question)) return []
  return [null, ...OWN_AUTHORS, ...(displayName ? [displayName.toLowerCase()] : [])]
}

/** First person singular, in languages that PostgreSQL has a stemmer for. */
const WORD = wholeWords(
  'i|me|my|mine|myself', // English
  'ich|mich|mir|mein|meine|meinem|meinen|meiner|meines', // German
  'yo|mi|mis|mí|mío|mía|míos|mías|conmigo', // Spanish
  'je|j|moi|mon|ma|mes|mien|mienne', // French
  'io|mio|mia|miei|mie', // Italian
  'eu|meu|minha|meus|minhas|comigo', // Portuguese
  'ik|mij|mijn', // Dutch
  'jag|mig|min|mitt|mina|jeg|meg|mit|mine', // Swedish, Danish, Norwegian
  'я|меня|мне|мной|мой|моя|моё|мое|мои|моего|моей|моих|моём|моему|мою', // Russian
)
/** Chinese, Japanese and Korean. */
const UNSPACED = /我|私|僕|俺|わたし|ぼく|(?<!\p{L})(?:나|내|저|제)(?=는|가|의|를|에게|\s|$)/u

/** Whether a question is in the first person. */
export const isFirstPerson = (question: string): boolean =>
  WORD.test(question) || UNSPACED.test(question)
