/** A value in a JSON text: from the index of its first character to that after its last. */
export interface Span {
  start: number
  end: number
}

/** A text to insert into another one. */
export interface Insertion {
  at: number
  text: string
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]

/**
 * The place of a member's value in a valid JSON text, whose value is an object. Of members with one name the last
 * counts, as for `JSON.parse`.
 */
export const memberSpan = (json: string, object: Span, name: string): Span | undefined => {
  let found: Span | undefined
  for (let i = skipSpace(json, object.start + 1); json[i] !== '}'; ) {
    const nameEnd = endOfValue(json, i)
    const key: unknown = JSON.parse(json.slice(i, nameEnd))
    const start = skipSpace(json, skipSpace(json, nameEnd) + 1)
    const end = endOfValue(json, start)
    if (key === name) found = { start, end }
    i = afterComma(json, end)
  }
  return found
}

/** The places of the elements of a list in a valid JSON text. */
export const elementSpans = (json: string, list: Span): Span[] => {
  const spans: Span[] = []
  for (let i = skipSpace(json, list.start + 1); json[i] !== ']'; ) {
    const end = endOfValue(json, i)
    spans.push({ start: i, end })
    i = afterComma(json, end)
  }
  return spans
}

export const rootSpan = (json: string): Span => {
  const start = skipSpace(json, 0)
  return { start, end: endOfValue(json, start) }
}

/** Every other character stays as it is: numbers beyond 2^53, spaces and repeated names. */
export const insertAll = (json: string, insertions: readonly Insertion[]): string => {
  const parts: string[] = []
  let from = 0
  for (const { at, text } of insertions.toSorted((a, b) => a.at - b.at)) {
    parts.push(json.slice(from, at), text)
    from = at
  }
  return [...parts, json.slice(from)].join('')
}

const afterComma = (json: string, end: number): number => {
  const next = skipSpace(json, end)
  return json[next] === ',' ? skipSpace(json, next + 1) : next
}

const SPACES = ' \t\n\r'

const skipSpace = (json: string, start: number): number => {
  let i = start
  while (i < json.length && SPACES.includes(json.charAt(i))) i++
  return i
}

const endOfValue = (json: string, start: number): number => {
  const first = json[start]
  if (first === '"') return endOfString(json, start)
  if (first !== '{' && first !== '[') return endOfLiteral(json, start)
  let open = 0
  for (let i = start; i < json.length; i++) {
    const character = json[i]
    if (character === '"') i = endOfString(json, i) - 1
    else if (character === '{' || character === '[') open++
    else if ((character === '}' || character === ']') && --open === 0) return i + 1
  }
  return json.length
}

const endOfLiteral = (json: string, start: number): number => {
  let i = start
  while (i < json.length && !',]} \t\n\r'.includes(json.charAt(i))) i++
  return i
}

/** Images are strings of megabytes, so it searches the quotes and not each character. */
const endOfString = (json: string, start: number): number => {
  for (let i = json.indexOf('"', start + 1); i >= 0; i = json.indexOf('"', i + 1)) {
    let escapes = 0
    while (json.charCodeAt(i - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0 && json.charCodeAt(i) === QUOTE) return i + 1
  }
  return json.length
}
