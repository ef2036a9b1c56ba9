import { normalForm } from '../../platform/text/normal.ts'

/** A question does not repeat longer codes. */
const MAX_FORM_CHARACTERS = 200
const MAX_FORMS = 100

const RUN =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}@#$%&*+\-./\\:_~=]+|\p{RI}{2}|\p{Extended_Pictographic}/gu
const LETTER_OR_DIGIT = /[\p{L}\p{Nd}]/u
const EMOJI = /^(?:\p{RI}|\p{Extended_Pictographic})/u
/** Punctuation of the sentence around a form. */
const BEFORE = /^[:\-=&*%+]+/
// Reads at most 200 characters: MAX_FORM_CHARACTERS.
const AFTER = /[.:\-=&*/]+$/
/** `a1`, `2.10`, `c++`, `me@example.org`, `/etc/hosts`, `node.js`, but neither `42` nor `well-known`. */
// Reads at most 200 characters: MAX_FORM_CHARACTERS.
const IS_CODE = /\p{L}.*\p{Nd}|\p{Nd}.*\p{L}|\p{Nd}[^\p{L}\p{Nd}]+\p{Nd}|[@#$\\/_+~]|\.\p{L}/su

/** `v8.57.0` is also `8.57.0`. */
const VERSION = /^\p{L}{1,3}(\p{Nd}+(?:\.\p{Nd}+)+)$/u
/** A telephone number, or a number with spaces: 7 digits or more. */
const SPACED_NUMBER = /\p{Nd}(?:[ ()/.-]{0,2}\p{Nd}){6,17}/gu

/**
 * Codes, version numbers, paths, addresses, telephone numbers and emoji of a text, in lower case and without
 * duplicates: its words are parts of them.
 */
export const extractExactForms = (text: string): string[] => {
  const forms = new Set<string>()
  const normal = normalForm(text)
  for (const [run] of normal.matchAll(RUN)) {
    if (forms.size >= MAX_FORMS) break
    if (run.length > MAX_FORM_CHARACTERS) continue
    const form = run.replace(BEFORE, '').replace(AFTER, '').toLowerCase()
    if (EMOJI.test(form) || (LETTER_OR_DIGIT.test(form) && IS_CODE.test(form))) forms.add(form)
    const version = VERSION.exec(form)?.[1]
    if (version) forms.add(version)
  }
  for (const [number] of normal.matchAll(SPACED_NUMBER)) {
    if (forms.size >= MAX_FORMS) break
    forms.add(number.replace(/\P{Nd}/gu, ''))
  }
  return [...forms]
}
