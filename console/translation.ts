/**
 * The texts of a language are `texts/<language>.json`: the exports of each file of `texts/`, as in English. A text
 * with values is a message in the syntax of ICU: `{0}`, `{0, number}`, `{0, plural, =0 {…} one {# …} other {…}}` and
 * `{0, select, null {…} other {…}}`, with the values by their position. The build makes modules of it.
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  isArgumentElement,
  isLiteralElement,
  isNumberElement,
  isNumberSkeleton,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  type MessageFormatElement,
  type NumberElement,
  type PluralOrSelectOption,
  type PoundElement,
  parse,
} from '@formatjs/icu-messageformat-parser'
import { isObject } from '../shared/objects.ts'

type Forms = readonly (readonly [key: string, form: PluralOrSelectOption])[]

/** The parser ignores the words of a number skeleton that it does not know. */
const NUMBER_TOKEN = /^(percent|\.#+)$/

const isKnownStyle = ({ style }: NumberElement): boolean =>
  !style || (isNumberSkeleton(style) && style.tokens.every(({ stem }) => NUMBER_TOKEN.test(stem)))

const isKnown = (part: MessageFormatElement): boolean => {
  // ICU refuses an unmatched brace, which the parser reads as text.
  if (isLiteralElement(part)) return !part.value.includes('}')
  if (isPoundElement(part)) return true
  if (!/^\d$/.test(part.value)) return false
  if (isNumberElement(part)) return isKnownStyle(part)
  if (isPluralElement(part)) return part.offset === 0 && part.pluralType === 'cardinal'
  return isArgumentElement(part) || isSelectElement(part)
}

const formsOf = (part: MessageFormatElement): Forms =>
  isPluralElement(part) || isSelectElement(part) ? Object.entries(part.options) : []

/** A message with those within it. */
const allOf = (parts: readonly MessageFormatElement[]): MessageFormatElement[] =>
  parts.flatMap((part) => [part, ...formsOf(part).flatMap(([, { value }]) => allOf(value))])

/** @throws Error for another syntax. */
const parseMessage = (text: string): MessageFormatElement[] => {
  try {
    const parts = parse(text, { ignoreTag: true, shouldParseSkeletons: true })
    if (allOf(parts).every(isKnown)) return parts
  } catch (cause) {
    throw new Error(`${JSON.stringify(text)} is not a message`, { cause })
  }
  throw new Error(`${JSON.stringify(text)} is not a message of the console`)
}

const positionsIn = (parts: readonly MessageFormatElement[]): number[] =>
  allOf(parts).flatMap((part) =>
    isLiteralElement(part) || isPoundElement(part) ? [] : [Number(part.value)],
  )

/** The source of a template. @param counted the value of `#`. */
const templateOf = (parts: readonly MessageFormatElement[], counted = ''): string => {
  const inner = parts.map((part) => {
    if (isLiteralElement(part)) return part.value.replace(/[`\\]|\$(?=\{)/g, '\\$&')
    return `\${${isPoundElement(part) ? `number(${counted})` : expressionOf(part)}}`
  })
  return `\`${inner.join('')}\``
}

/** A form after its number; undefined if it has none at its start. */
const afterNumber = ([first, second, ...rest]: readonly MessageFormatElement[]) =>
  first && isPoundElement(first) && second && isLiteralElement(second) && second.value[0] === ' '
    ? [{ ...second, value: second.value.slice(1) }, ...rest]
    : undefined

const pluralOf = (value: string, forms: Forms): string => {
  const isCounted = forms.every(([, form]) => afterNumber(form.value))
  const templates = forms.map(([key, form]) => {
    const parts = (isCounted && afterNumber(form.value)) || form.value
    return `${key}: ${templateOf(parts, value)}`
  })
  return `${isCounted ? 'count' : 'plural'}(${value}, { ${templates.join(', ')} })`
}

const expressionOf = (part: Exclude<MessageFormatElement, PoundElement>): string => {
  const value = `v${part.value}`
  if (isNumberElement(part)) {
    const { style } = part
    return isNumberSkeleton(style)
      ? `number(${value}, ${JSON.stringify(style.parsedOptions)})`
      : `number(${value})`
  }
  const isPlural = isPluralElement(part)
  if (!isPlural && !isSelectElement(part)) return value
  const forms = formsOf(part)
  const isExact = ([key]: Forms[number]) => (isPlural ? key.startsWith('=') : key !== 'other')
  const [exact, others] = [forms.filter(isExact), forms.filter((form) => !isExact(form))]
  const other = isPlural ? pluralOf(value, others) : templateOf(others[0]?.[1].value ?? [])
  return exact.reduceRight((rest, [key, form]) => {
    const isKey = isPlural
      ? `${value} === ${key.slice(1)}`
      : `String(${value}) === ${JSON.stringify(key)}`
    return `${isKey} ? ${templateOf(form.value, isPlural ? value : undefined)} : ${rest}`
  }, other)
}

/** The source of a text: of a message where the English one is a function. */
const sourceOf = (english: unknown, text: unknown): string => {
  if (typeof english === 'function') {
    const values = Array.from({ length: english.length }, (_, i) => `v${i}`)
    return `(${values.join(', ')}) => ${templateOf(parseMessage(String(text)))}`
  }
  if (!isObject(english)) return JSON.stringify(text)
  const fields = Object.keys(english).map(
    (key) => `${JSON.stringify(key)}: ${sourceOf(english[key], isObject(text) ? text[key] : '')}`,
  )
  return `{ ${fields.join(', ')} }`
}

/** The differences from the English texts: keys, and the values of messages. */
export const translationProblems = (english: unknown, text: unknown, path: string): string[] => {
  if (text === undefined) return [`${path} is missing`]
  if (english === undefined) return [`${path} is unknown`]
  if (typeof english === 'function') {
    if (typeof text !== 'string') return [`${path} must be a message`]
    const used = new Set(positionsIn(parseMessage(text)))
    const values = Array.from({ length: english.length }, (_, i) => i)
    const isSame = used.size === values.length && values.every((value) => used.has(value))
    return isSame ? [] : [`${path} must have the values ${values.map((i) => `{${i}}`).join(', ')}`]
  }
  if (Array.isArray(english) && Array.isArray(text) && english.length === text.length)
    return english.flatMap((each, i) => translationProblems(each, text[i], `${path}.${i}`))
  if (isObject(english) && isObject(text))
    return [...new Set([...Object.keys(english), ...Object.keys(text)])].flatMap((key) =>
      translationProblems(english[key], text[key], `${path}.${key}`),
    )
  return typeof english === 'string' && typeof text === 'string' ? [] : [`${path} has another form`]
}

const TEXTS = join(import.meta.dir, 'texts')

/** The texts of a language by file and export. */
export const readTranslation = (language: string): Readonly<Record<string, unknown>> =>
  JSON.parse(readFileSync(join(TEXTS, `${language}.json`), 'utf8'))

/** The files of `texts/` that are not in the catalogues. */
const generated = (language: string): Readonly<Record<string, string>> => ({
  language: `export const language = ${JSON.stringify(language)}`,
  'api-texts': [
    "import { createErrorTranslation } from '../../shared/error-texts.ts'",
    `import { ERROR_TEXTS_${language.toUpperCase()} as texts } from '../../shared/error-texts-${language}.ts'`,
    'const translate = createErrorTranslation(texts)',
    'export const apiText = (message) => translate(message) ?? message',
  ].join('\n'),
})

/** Replaces each file of texts with its translation. @throws Error if one is not complete. */
export const translate = (language: string): Bun.BunPlugin => ({
  name: 'translate',
  setup(build) {
    const translation = readTranslation(language)
    build.onLoad({ filter: /[/\\]console[/\\]texts[/\\][\w-]+\.ts$/ }, async ({ path }) => {
      const name = basename(path, '.ts')
      const contents = generated(language)[name]
      if (contents) return { contents, loader: 'ts' }
      const english = { ...(await import(path)) }
      const texts = translation[name]
      const problems = translationProblems(english, texts, name)
      if (problems.length) throw new Error(`${language}.json: ${problems.join('; ')}`)
      const exports = Object.keys(english).map(
        (key) =>
          `export const ${key} = ${sourceOf(english[key], isObject(texts) ? texts[key] : '')}`,
      )
      return {
        contents: `import { count, number, plural } from './tools/numbers.ts'\n${exports.join('\n')}`,
        loader: 'ts',
      }
    })
  },
})
