import { normalForm } from '../../platform/text/normal.ts'

/** The first and the last id with the digits that a question names, in the order of UUIDs. */
export interface IdRange {
  low: string
  high: string
}

const DIGITS = 32
/** Texts of programs may be full of hashes. */
const MAX_IDS = 5

/**
 * A UUID, or at least its first eight digits. It begins with the time of its memory (RFC 9562, section 5.7),
 * which is 0 until the year 2527, so that most hashes, colors and numbers are none.
 */
const ID =
  /(?<![\p{Script=Latin}\p{N}_])0[\da-f]{7}(?:-?[\da-f]{1,4}(?:-?[\da-f]{1,4}(?:-?[\da-f]{1,4}(?:-?[\da-f]{1,12})?)?)?)?(?![\p{Script=Latin}\p{N}_])/giu

/** Dashes that editors and phones write in place of a hyphen. */
const DASHES = /[\u2010-\u2015\u2212]/g

/** A phone number or a date, unless it is written as an id or is the whole question. */
const isNumber = (id: string, question: string): boolean =>
  /^\d+$/.test(id) && id.length < DIGITS && id !== question.trim()

/** The ids of memories that a question names, those with the most digits first. */
export const namedIds = (question: string): IdRange[] => {
  const text = normalForm(question).replace(DASHES, '-').toLowerCase()
  const ids = new Set<string>()
  for (const [id] of text.matchAll(ID)) {
    if (ids.size === MAX_IDS) break
    if (!isNumber(id, text)) ids.add(id.replaceAll('-', ''))
  }
  return [...ids]
    .sort((one, other) => other.length - one.length)
    .map((digits) => ({ low: digits.padEnd(DIGITS, '0'), high: digits.padEnd(DIGITS, 'f') }))
}
