/**
 * The texts of a language are `texts/<language>.json`: the exports of each file of `texts/`, as in English. A text
 * with values is a message in the syntax of ICU: `{0}`, `{0, number}`, `{0, plural, =0 {…} one {# …} other {…}}` and
 * `{0, select, null {…} other {…}}`, with the values by their position. The build makes modules of it.
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isObject } from '../shared/objects.ts'

type Part = string | Argument

interface Argument {
  position: number
  type: 'value' | 'number' | 'plural' | 'select'
  /** Of a number. */
  style: string
  /** Of a plural or select, by its key. */
  forms: [key: string, message: Part[]][]
}

/** The number styles, as ICU number skeletons. */
const STYLES: Readonly<Record<string, Intl.NumberFormatOptions>> = {
  '': {},
  '::.#': { maximumFractionDigits: 1 },
  '::.###': { maximumFractionDigits: 3 },
  '::percent .#': { style: 'percent', maximumFractionDigits: 1 },
}

/** @throws Error for another syntax. */
const parseMessage = (text: string): Part[] => {
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match) at = pattern.lastIndex
    return match ?? undefined
  }
  const expect = (pattern: RegExp): string => {
    const match = take(pattern)
    if (!match) throw new Error(`${JSON.stringify(text)} is not a message at ${at}`)
    return match[1] ?? ''
  }
  const parseForms = (): Argument['forms'] => {
    const forms: Argument['forms'] = []
    for (let form = take(/\s*(=?\w+) \{/y); form; form = take(/\s*(=?\w+) \{/y)) {
      forms.push([form[1] ?? '', parseParts()])
      expect(/\}/y)
    }
    if (!forms.some(([key]) => key === 'other')) expect(/ other/y)
    return forms
  }
  const parseArgument = (): Argument => {
    const position = Number(expect(/\{(\d)/y))
    const [, type = 'value'] = take(/, (number|plural|select)/y) ?? []
    const hasForms = type === 'plural' || type === 'select'
    const style = type === 'number' ? (take(/, (::[^}]+)/y)?.[1] ?? '') : ''
    const forms = hasForms && take(/,/y) ? parseForms() : []
    if (!(style in STYLES) || hasForms !== forms.length > 0) expect(/ style/y)
    expect(/\}/y)
    return { position, type: type as Argument['type'], style, forms }
  }
  const parseParts = (): Part[] => {
    const parts: Part[] = []
    while (at < text.length && text[at] !== '}')
      parts.push(take(/([^{}]+)/y)?.[1] ?? parseArgument())
    return parts
  }
  const parts = parseParts()
  expect(/$/y)
  return parts
}

const positionsIn = (parts: readonly Part[]): number[] =>
  parts.flatMap((part) =>
    typeof part === 'string'
      ? []
      : [part.position, ...part.forms.flatMap(([, message]) => positionsIn(message))],
  )

/** The source of a template. @param counted the value of `#`. */
const templateOf = (parts: readonly Part[], counted?: string): string => {
  const inner = parts.map((part) => {
    if (typeof part !== 'string') return `\${${expressionOf(part)}}`
    const literal = part.replace(/[`\\]|\$(?=\{)/g, '\\$&')
    return counted ? literal.replaceAll('#', `\${number(${counted})}`) : literal
  })
  return `\`${inner.join('')}\``
}

const COUNTED = '# '

const pluralOf = (value: string, forms: Argument['forms']): string => {
  const isCounted = forms.every(
    ([, [first]]) => typeof first === 'string' && first.startsWith(COUNTED),
  )
  const templates = forms.map(([key, message]) => {
    const template = templateOf(message, isCounted ? undefined : value)
    return `${key}: ${isCounted ? template.replace(COUNTED, '') : template}`
  })
  return `${isCounted ? 'count' : 'plural'}(${value}, { ${templates.join(', ')} })`
}

const expressionOf = ({ position, type, style, forms }: Argument): string => {
  const value = `v${position}`
  if (type === 'value') return value
  if (type === 'number')
    return style ? `number(${value}, ${JSON.stringify(STYLES[style])})` : `number(${value})`
  const isPlural = type === 'plural'
  const template = (message: Part[]) => templateOf(message, isPlural ? value : undefined)
  const isExact = (key: string) => (isPlural ? key.startsWith('=') : key !== 'other')
  const exact = forms.filter(([key]) => isExact(key))
  const others = forms.filter(([key]) => !isExact(key))
  const other = isPlural ? pluralOf(value, others) : template(others[0]?.[1] ?? [])
  return exact.reduceRight((rest, [key, message]) => {
    const isKey = isPlural
      ? `${value} === ${key.slice(1)}`
      : `String(${value}) === ${JSON.stringify(key)}`
    return `${isKey} ? ${template(message)} : ${rest}`
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
