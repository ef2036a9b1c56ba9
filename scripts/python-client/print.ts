/** The line length of the generated file. */
export const WIDTH = 100

/** A Python type: a name, or a generic type with its arguments. */
export type PyType = string | { head: string; args: readonly PyType[] }

export const generic = (head: string, ...args: PyType[]): PyType => ({ head, args })

export const flat = (type: PyType): string =>
  typeof type === 'string' ? type : `${type.head}[${type.args.map(flat).join(', ')}]`

const spaces = (depth: number): string => ' '.repeat(depth * 4)

/** A type behind a prefix, on one line or with an argument on each line. */
export const typed = (prefix: string, type: PyType, depth: number, suffix = ''): string[] => {
  const line = `${spaces(depth)}${prefix}${flat(type)}${suffix}`
  if (line.length <= WIDTH || typeof type === 'string') return [line]
  const comma = type.args.length > 1 ? ',' : ''
  return [
    `${spaces(depth)}${prefix}${type.head}[`,
    ...type.args.flatMap((argument) => typed('', argument, depth + 1, comma)),
    `${spaces(depth)}]${suffix}`,
  ]
}

/** A call or a definition: `head(item, item)tail`, on one line or with an item on each line. */
export const listed = (head: string, items: readonly string[], tail: string, depth: number) => {
  const line = `${spaces(depth)}${head}(${items.join(', ')})${tail}`
  if (line.length <= WIDTH && !items.some((item) => item.includes('\n'))) return [line]
  return [
    `${spaces(depth)}${head}(`,
    ...items.flatMap((item) => {
      const lines = item.split('\n').map((each) => `${spaces(depth + 1)}${each}`)
      return [...lines.slice(0, -1), `${lines.at(-1)},`]
    }),
    `${spaces(depth)})${tail}`,
  ]
}

/** Text in lines, with a prefix before the first line and another one before the others. */
export const wrapped = (text: string, first: string, others = first, width = WIDTH): string[] => {
  const lines: string[] = []
  let line = first
  let isEmpty = true
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line)
      line = others
      isEmpty = true
    }
    line += isEmpty ? word : ` ${word}`
    isEmpty = false
  }
  return [...lines, line]
}

/** A string literal; JSON escapes as Python does. */
export const quoted = (text: string): string => JSON.stringify(text)

/** A long text as string literals on lines of their own, which Python joins. */
export const quotedLines = (text: string, indent: number): string[] => {
  const isShort = indent + quoted(text).length <= WIDTH
  const lines = isShort ? [text] : wrapped(text, '', '', WIDTH - indent - 3)
  return lines.map(
    (line, i) => ' '.repeat(indent) + quoted(i < lines.length - 1 ? `${line} ` : line),
  )
}

export const literal = (value: unknown): string => {
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value === null) return 'None'
  return JSON.stringify(value)
}

/** `createKey` as `create_key`, `MCP login` as `mcp_login`. */
export const snake = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[ -]/g, '_')
    .toLowerCase()

/** `createKey` and `create_key` as `CreateKey`. */
export const pascal = (name: string): string =>
  name
    .split(/[_ .-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** A sentence that ends with a period. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
