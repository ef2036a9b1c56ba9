import {
  applyEdits,
  type Edit,
  findNodeAtLocation,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parse as parseJsonc,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import { type Change, Unreadable } from './change.ts'

const TOLERANT = { allowTrailingComma: true }

/** JSON as editors read it: with comments and trailing commas. An empty file is an empty table. */
export const parse = (text: string): unknown => {
  if (text.trim() === '') return {}
  const errors: ParseError[] = []
  const value: unknown = parseJsonc(text, errors, TOLERANT)
  const [first] = errors
  if (!first) return value
  const line = text.slice(0, first.offset).split('\n').length
  throw new Unreadable(`line ${line} is not JSON (${printParseErrorCode(first.error)})`)
}

export const write = (text: string, { table, name, changes, entry }: Change): string => {
  const source = text.trim() === '' ? '{}\n' : text
  const root = parseTree(source, [], TOLERANT)
  const servers = root && findNodeAtLocation(root, [table])
  if (!root) throw new Unreadable('it is not JSON')
  if (!servers) return add(source, root, table, { [name]: entry })
  if (!findNodeAtLocation(servers, [name])) return add(source, servers, name, entry)
  return Object.entries(changes).reduce(
    (into, [field, value]) => change(into, [table, name, field], value),
    source,
  )
}

const change = (text: string, path: JSONPath, value: unknown): string => {
  const { unit, eol } = styleOf(text)
  const insertSpaces = !unit.startsWith('\t')
  const formattingOptions = { insertSpaces, tabSize: insertSpaces ? unit.length : 4, eol }
  return applyEdits(text, modify(text, path, value, { formattingOptions }))
}

/**
 * Adds a property at the end of an object, in lines of its own. Nothing else is touched: the parser's
 * own way would write the property before it anew, and move the comment behind that.
 */
const add = (text: string, object: Node, name: string, value: unknown): string => {
  const { unit, eol } = styleOf(text)
  const outer = indentAt(text, object.offset)
  const lines = JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${outer}${unit}`)
  const property = `${eol}${outer}${unit}${JSON.stringify(name)}: ${lines}`
  const last = object.children?.at(-1)
  const from = last ? last.offset + last.length : object.offset + 1
  const { comma, end, isLineOver } = restOfLine(text, from)
  const closing = isLineOver ? '' : `${eol}${outer}`
  const edits: Edit[] = [
    ...(last && !comma ? [{ offset: from, length: 0, content: ',' }] : []),
    { offset: end, length: 0, content: `${property}${last && comma ? ',' : ''}${closing}` },
  ]
  return applyEdits(text, edits)
}

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\r\n]*/
const REST = new RegExp(`^(?:[ \\t,]|${COMMENT.source})*`)

/** What comes behind a property before its line ends: a comma, comments, or the end of the object. */
const restOfLine = (text: string, from: number) => {
  const [rest = ''] = REST.exec(text.slice(from)) ?? []
  return {
    comma: rest.replace(new RegExp(COMMENT, 'g'), '').includes(','),
    end: from + rest.trimEnd().length,
    isLineOver: /^\r?\n/.test(text.slice(from + rest.length)),
  }
}

const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? ''

/** As the file is written already. */
const styleOf = (text: string): { unit: string; eol: string } => ({
  unit: /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ',
  eol: text.includes('\r\n') ? '\r\n' : '\n',
})
