/** First person singular, in languages that PostgreSQL has a stemmer for. */
const PRONOUNS = [
  'i|me|my|mine|myself', // English
  'ich|mich|mir|mein|meine|meinem|meinen|meiner|meines', // German
  'yo|mi|mis|mí|mío|mía|míos|mías|conmigo', // Spanish
  'je|j|moi|mon|ma|mes|mien|mienne', // French
  'io|mio|mia|miei|mie', // Italian
  'eu|meu|minha|meus|minhas|comigo', // Portuguese
  'ik|mij|mijn', // Dutch
  'jag|mig|min|mitt|mina|jeg|meg|mit|mine', // Swedish, Danish, Norwegian
  'я|меня|мне|мной|мой|моя|моё|мое|мои|моего|моей|моих|моём|моему|мою', // Russian
].join('|')

const WORD = new RegExp(`(?<![\\p{L}\\p{M}])(?:${PRONOUNS})(?![\\p{L}\\p{M}])`, 'iu')
/** Chinese, Japanese and Korean. */
const UNSPACED = /我|私|僕|俺|わたし|ぼく|(?<!\p{L})(?:나|내|저|제)(?=는|가|의|를|에게|\s|$)/u

/** Whether a question is in the first person. */
export const isFirstPerson = (question: string): boolean =>
  WORD.test(question) || UNSPACED.test(question)
