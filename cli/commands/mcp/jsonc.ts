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
import { type EntryChange, SettingsFileError } from './settings-format.ts'

const TOLERANT = { allowTrailingComma: true }

/** Parses JSON with comments and trailing commas. An empty file is an empty object. */
export const parse = (text: string): unknown => {
  if (text.trim() === '') return {}
  const errors: ParseError[] = []
  const value: unknown = parseJsonc(text, errors, TOLERANT)
  const [first] = errors
  if (!first) return value
  const line = text.slice(0, first.offset).split('\n').length
  throw new SettingsFileError(
    `line ${line} is not valid JSON (${printParseErrorCode(first.error)})`,
  )
}

export const write = (text: string, { table, name, changes, entry }: EntryChange): string => {
  const source = text.trim() === '' ? '{}\n' : text
  const root = parseTree(source, [], TOLERANT)
  const servers = root && findNodeAtLocation(root, [table])
  if (!root) throw new SettingsFileError('it is not valid JSON')
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
 * Adds a property at the end of an object, on separate lines. jsonc-parser's `modify` would rewrite
 * the previous property and move the comment after it.
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

const COMMENT = /\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|\/\/[^\r\n]*/
const REST = new RegExp(`^(?:[ \\t,]|${COMMENT.source})*`)

/** The rest of the line after a property: a comma, comments, or the end of the object. */
const restOfLine = (text: string, from: number) => {
  const [rest = ''] = REST.exec(text.slice(from)) ?? []
  return {
    // Reads at most 1000 characters: the comments behind one property.
    comma: rest.replace(new RegExp(COMMENT, 'g'), '').includes(','),
    end: from + rest.trimEnd().length,
    isLineOver: /^\r?\n/.test(text.slice(from + rest.length)),
  }
}

const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? ''

/** The indentation and line ending of the file. */
const styleOf = (text: string): { unit: string; eol: string } => ({
  unit: /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ',
  eol: text.includes('\r\n') ? '\r\n' : '\n',
})
