import { isMap, isScalar, type Pair, parseDocument, stringify } from 'yaml'

/** The properties of a file that svc reads or writes. All others belong to the user. */
export interface Properties {
  id?: string | undefined
  type?: string | undefined
  tags?: string[] | undefined
  thread?: string | undefined
  happened?: string | undefined
  created?: string | undefined
  valid_from?: string | undefined
  valid_to?: string | undefined
  source?: string | undefined
}

type LineEnd = '\n' | '\r\n'

/** A Markdown file in its parts. */
export interface MarkdownParts {
  hasByteOrderMark: boolean
  lineEnd: LineEnd
  /** The YAML between the lines of dashes, with `\n` in place of `lineEnd`; undefined: there is none. */
  yaml: string | undefined
  /** All after the front matter, as it is in the file. */
  body: string
}

const FENCE = '---'
const BYTE_ORDER_MARK = '\ufeff'

/**
 * Splits a file into front matter and body. The format is that of Jekyll and Obsidian: YAML between two lines
 * of three dashes, the first of which begins the file. Without the second one, all is body.
 */
export const split = (text: string): MarkdownParts => {
  const hasByteOrderMark = text.startsWith(BYTE_ORDER_MARK)
  const rest = hasByteOrderMark ? text.slice(1) : text
  const firstBreak = rest.indexOf('\n')
  const lineEnd = firstBreak > 0 && rest[firstBreak - 1] === '\r' ? '\r\n' : '\n'
  const whole = { hasByteOrderMark, lineEnd, yaml: undefined, body: rest } as const
  if (firstBreak < 0 || rest.slice(0, firstBreak).trimEnd() !== FENCE) return whole
  const yamlOf = (part: string) => (lineEnd === '\r\n' ? part.replaceAll('\r\n', '\n') : part)
  for (let start = firstBreak + 1; start <= rest.length; ) {
    const end = rest.indexOf('\n', start)
    const line = rest.slice(start, end < 0 ? undefined : end)
    if (line.trimEnd() === FENCE)
      return {
        ...whole,
        yaml: yamlOf(rest.slice(firstBreak + 1, start)),
        body: end < 0 ? '' : rest.slice(end + 1),
      }
    if (end < 0) return whole
    start = end + 1
  }
  return whole
}

/** The text of a file. */
export const join = ({ hasByteOrderMark, lineEnd, yaml, body }: MarkdownParts): string =>
  [
    hasByteOrderMark ? BYTE_ORDER_MARK : '',
    yaml === undefined ? '' : `${FENCE}\n${yaml}${FENCE}\n`.replaceAll('\n', lineEnd),
    body,
  ].join('')

/** The properties of front matter, or the reason why it cannot be read. */
export const readYaml = (
  yaml: string,
): { values: Record<string, unknown> | undefined } | { problem: string } => {
  try {
    const document = parseDocument(yaml)
    const [error] = document.errors
    if (error) return { problem: error.message.split('\n')[0] ?? error.code }
    const value: unknown = document.toJS()
    if (value === null || value === undefined) return { values: {} }
    // A text between two thematic breaks is no front matter.
    return { values: isMap(document.contents) ? (value as Record<string, unknown>) : undefined }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * Sets properties in front matter. Everything else stays as it is, to the letter: order, quotes, comments.
 * @param values undefined removes the property.
 */
export const editYaml = (yaml: string, values: Record<string, unknown>): string => {
  const document = parseDocument(yaml)
  if (!document.contents || (isMap(document.contents) && !document.contents.flow)) {
    const edited = editLines(yaml, isMap(document.contents) ? document.contents.items : [], values)
    if (parseDocument(edited).errors.length === 0) return edited
  }
  // In braces, or indented: written anew.
  for (const [key, value] of Object.entries(values))
    if (value === undefined) document.delete(key)
    else document.set(key, value)
  return document.toString({ lineWidth: 0 })
}

const editLines = (yaml: string, pairs: Pair[], values: Record<string, unknown>): string => {
  const places = pairs.flatMap((pair) => {
    const place = placeOf(pair)
    return place && Object.hasOwn(values, place.key) ? [place] : []
  })
  let text = yaml
  for (const { key, start, end } of places.toReversed()) {
    const value = values[key]
    const isWhole = text[end - 1] === '\n'
    const rest = text.slice(end)
    text =
      value === undefined
        ? text.slice(0, start) + (isWhole ? rest : rest.slice(lineLength(rest)))
        : text.slice(0, start) + lineOf(key, value) + (isWhole ? '\n' : '') + rest
  }
  const known = new Set(places.map(({ key }) => key))
  const added = Object.entries(values)
    .filter(([key, value]) => value !== undefined && !known.has(key))
    .map(([key, value]) => `${lineOf(key, value)}\n`)
    .join('')
  return withLineEnd(text) + added
}

/** The length of the rest of a line, with its end. */
const lineLength = (text: string): number => {
  const end = text.indexOf('\n')
  return end < 0 ? text.length : end + 1
}

const withLineEnd = (text: string): string =>
  text === '' || text.endsWith('\n') ? text : `${text}\n`

/** A property in YAML, without the line end. */
const lineOf = (key: string, value: unknown): string => {
  const line = stringify({ [key]: value }, { lineWidth: 0 }).trimEnd()
  const json = JSON.stringify(value)
  if (!/[^ -~]|\\/.test(json) || JSON.stringify(valueIn(line, key)) === json) return line
  // Line ends are cut, and the library does not quote a byte order mark. JSON is YAML.
  return `${key}: ${json.replace(/[^ -~]/g, escaped)}`
}

const valueIn = (line: string, key: string): unknown => {
  const document = parseDocument(line)
  return document.errors.length ? undefined : document.toJS()?.[key]
}

const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Where a property begins and ends in the text. */
const placeOf = ({ key, value }: Pair): { key: string; start: number; end: number } | undefined => {
  if (!isScalar(key) || typeof key.value !== 'string' || !key.range) return undefined
  const range = (value as { range?: [number, number, number] | null } | null)?.range
  return { key: key.value, start: key.range[0], end: range ? range[1] : key.range[1] + 1 }
}
