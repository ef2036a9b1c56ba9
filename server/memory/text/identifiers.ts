import { normalForm } from '../../platform/text/normal.ts'
import { limitLookahead, toSearchText } from './segmentation.ts'

/** A name of a program, a code, a path or a version. */
// Reads at most 200 characters: MAX_TOKEN_CHARACTERS.
const TOKEN =
  /(?<![@\p{L}\p{Nd}])[\p{L}\p{Nd}]{1,100}(?:[._:/\\-]{1,3}[\p{L}\p{Nd}]{1,100}){0,20}/gu
const MAX_TOKEN_CHARACTERS = 200
/** Of a text: more of them are a listing, which its other words describe. */
const MAX_PARTS = 200

const VERSION = /^\p{L}{1,3}(\p{Nd}+(?:\.\p{Nd}+)+)$/u
const DATE = /^\p{Nd}{4}-\p{Nd}{2}/u
const LETTER = /\p{L}/u
const CAMEL = /(?<=[\p{Ll}\p{Nd}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
/** PostgreSQL's parser keeps what these join as one word, and takes a number after a hyphen for a negative one. */
const JOINED = /[.:/\\]|-\p{Nd}/u
/** A telephone number, or a number with spaces: 7 digits or more. */
const SPACED_NUMBER = /\p{Nd}(?:[ ()/.-]{0,2}\p{Nd}){6,17}/gu

const partsOf = (token: string): string[] => {
  // An address of the web is one name, which the parser reads.
  if (!LETTER.test(token) || DATE.test(token) || token.includes('//')) return []
  const version = VERSION.exec(token)?.[1]
  if (version) return [version]
  const joined = JOINED.test(token) ? token.split(/[._:/\\-]+/) : [token]
  const parts = joined.flatMap((part) => part.split(CAMEL))
  return parts.length > 1 ? parts.filter((part) => part.length > 1) : []
}

/**
 * The parts of identifiers that PostgreSQL's text search does not separate: `isReadableFile` is found by "readable
 * file", `os.path.isfile` by "isfile", `OPS-4711` by "4711", `v8.57.0` by "8.57.0", and a telephone number with or
 * without spaces.
 */
export const identifierParts = (text: string): string[] => {
  const parts: string[] = []
  for (const [token] of text.matchAll(TOKEN)) {
    if (parts.length >= MAX_PARTS) return parts
    if (token.length <= MAX_TOKEN_CHARACTERS) parts.push(...partsOf(token))
  }
  for (const [number] of text.matchAll(SPACED_NUMBER)) {
    if (parts.length >= MAX_PARTS) return parts
    const digits = number.replace(/\P{Nd}/gu, '')
    if (digits !== number) parts.push(digits)
  }
  return parts
}

/** The text that stems are made of: with spaces between words, and the parts of identifiers at the end. */
export const toIndexedText = async (text: string): Promise<string> => {
  const words = await toSearchText(text)
  const parts = identifierParts(normalForm(text))
  return parts.length ? limitLookahead(`${words} ${parts.join(' ')}`) : words
}
