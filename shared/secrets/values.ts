import { alternatives } from '../text/alternatives.ts'

/*
 * Whether a text after the name of a credential is one, or stands for it: a placeholder, a type, a reference
 * to a variable, or a word of a sentence.
 */

/** Names that stand for a credential in examples and templates, and variables that hold one. */
const PLACEHOLDER = new RegExp(
  `^(?:${alternatives(`
      [$%{<[(@#!&|?=~] | \\*+$ | [xX]+$ | \\.+$ | -+$ | _+$ | \\u2026 | \\u2022
      (?:insert|enter|replace|changeme|change[-_]me|dummy|placeholder|redacted|example|todo)
    `)})`,
  'i',
)

/** Values of fields that describe a credential. */
const DESCRIPTION = new RegExp(
  `^(?:${alternatives(`
      true | false | null | nil | none | undefined | n\\/a | string | str | text | varchar | char
      bytes? | buffer | number | integer | int | bool | boolean | any | unknown | object | array
      list | optional | required | nullable | password | hidden | missing | invalid | expired
      base32 | base64 | utf-?8 | hex | sha-?\\d{1,3} | o?auth\\d? | saml\\d? | md5 | [hr]s\\d{3}
      bearer | basic | empty | unset | stored | encrypted | hashed | masked | reset | changed
      wrong | ok | yes | no | on | off | stdin | file | env | vault | default | self | this
      type\\.\\w+ | z\\.\\w+
    `)})\\b[?.,;|\\]]*`,
  'i',
)

/** A name of the code: `config.password`, `req.body.token`, `getenv(…)`, `SecretStr`. */
const REFERENCE = new RegExp(
  `^(?:(?:${alternatives(`
      process | import | os | env | req | request | res | ctx | self | this | config | settings
      secrets | vars | var | local | data | args | params | props | options | opts | body | user
      state | form | input | credentials | event | context | steps | github | inputs | module
      resource | deps
    `)})(?:\\.|\\[|->|::|\\?\\.)|await |new |[A-Za-z_$][\\w$]{0,60}(?:(?:\\.|->|::|\\?\\.)[A-Za-z_$][\\w$]{0,60}){0,8}[([])`,
)

/** A name of an example (`your-api-key`), of a variable of the environment, or a text that was cut or linked. */
const EXAMPLE =
  /^(?:your|my|the|some|an?|new|old)[-_ ][^\d]*$|^[A-Z][A-Z\d]*(?:_[A-Z\d*]+)+$|\u2026|\.\.\.|\]\(/

/** A field or an attribute: `values.S3_SECRET`, `label={…}`. */
const FIELD =
  /^(?:[A-Za-z_$][\w$]{0,60}(?:\??\.[A-Za-z_$][\w$]{0,60}){1,8}[,;)]?$|[A-Za-z_-]{2,30}=[^=])/

const HAS_DIGIT = /\d/
const HAS_LETTER = /\p{L}/u
const HAS_SYMBOL = /[!@#$%^&*+=~?|\\<>]/
const HAS_MIXED_CASE = /[a-z][A-Z]|[A-Z][a-z]+[A-Z]/
/** A number, a date, a time, a size, a version or a percentage. */
const QUANTITY = /^[\d.,:/+_-]+(?:[kKmMgGtT]i?[bB]?|ms|s|m|h|d|%|x|px|em)?$/
const PATH_OR_ADDRESS = /^(?:\.{0,2}\/|~\/|[a-zA-Z]:\\|\w{2,10}:\/\/)/
const NAME_OF_CREDENTIAL =
  /passw|passphrase|contrase|mot.de.passe|kennwort|secret|token|credential|schl|api.?key/i

/** How sure it is by its place that a text is a credential. */
export interface ValuePlace {
  isQuoted: boolean
  /** `named`: after the name of a password; `keyed`: after that of a key or token; `spoken`: in a sentence. */
  kind: 'named' | 'keyed' | 'spoken'
  /** Whether the name and the value are joined, as in `PASSWORD=value` and `--password=value`. */
  isJoined: boolean
}

/** @param value without its quotes. */
export const isCredential = (value: string, { isQuoted, kind, isJoined }: ValuePlace): boolean => {
  if (!isQuoted && !isJoined && FIELD.test(value)) return false
  if (value.length < (kind === 'keyed' ? 6 : 4)) return false
  if (/\s/.test(value)) return isQuoted && (kind === 'spoken' || isJoined) && isPhrase(value)
  if (isStandIn(value, isQuoted)) return false
  const isWord = !HAS_DIGIT.test(value) && !HAS_SYMBOL.test(value) && !HAS_MIXED_CASE.test(value)
  if (kind === 'keyed') {
    if (QUANTITY.test(value)) return false
    return HAS_DIGIT.test(value)
      ? HAS_LETTER.test(value)
      : value.length >= 20 && !isWord && !isCodeName(value)
  }
  if (QUANTITY.test(value)) return /^\d{4,}$/.test(value)
  if (NAME_OF_CREDENTIAL.test(value) && !HAS_DIGIT.test(value)) return false
  if (!isWord) return !isCodeName(value) || isQuoted || isJoined || /^[A-Z]/.test(value)
  return (isQuoted || isJoined) && value.length >= (kind === 'spoken' ? 4 : 6)
}

/** Up to four words in quotes after "the password is" or `PASSWORD=`. */
const isPhrase = (value: string): boolean =>
  /^[\p{L}\d'-]{2,20}(?: [\p{L}\d'-]{1,20}){1,3}$/u.test(value) && !NAME_OF_CREDENTIAL.test(value)

export const isDescription = (value: string): boolean =>
  DESCRIPTION.exec(value)?.[0].length === value.length

const isStandIn = (value: string, isQuoted: boolean): boolean =>
  (PLACEHOLDER.test(value) && !(isQuoted && /^[@#!&?=~%]\S*\d/.test(value))) ||
  isDescription(value) ||
  PATH_OR_ADDRESS.test(value) ||
  EXAMPLE.test(value) ||
  /\$\{|\{\{|\}\}|<\/?\w{1,20}>|^\w{1,40}\(\)?$/.test(value) ||
  (!isQuoted && REFERENCE.test(value))

/** A name without a digit, such as `userPassword` or `form.newPassword`, is a variable. */
const isCodeName = (value: string): boolean => /^[A-Za-z_$][A-Za-z_$.[\]?]*[;,)]?$/.test(value)

/** A password may have signs that end values elsewhere. */
const TRAILING = /[.,;:!?)\]}、。，！]$/

/** A value without the signs of the sentence around it. */
export const withoutEnd = (raw: string): string => {
  let value = raw
  while (TRAILING.test(value)) value = value.slice(0, -1)
  return value
}
