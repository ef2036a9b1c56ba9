import {
  applyEdits,
  createScanner,
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
  const root = expectRoot(source)
  const servers = findNodeAtLocation(root, [table])
  if (!servers) return add(source, root, { [name]: entry }, table)
  if (!findNodeAtLocation(servers, [name])) return add(source, servers, entry, name)
  return Object.entries(changes).reduce(
    (into, [field, value]) => change(into, [table, name, field], value),
    source,
  )
}

/** Adds a property at the end of the outermost object. The text is valid and does not have it. */
export const addProperty = (text: string, name: string, value: unknown): string => {
  const source = text.trim() === '' ? '{}\n' : text
  return add(source, expectRoot(source), value, name)
}

const expectRoot = (text: string): Node => {
  const root = parseTree(text, [], TOLERANT)
  if (root) return root
  throw new SettingsFileError('it is not valid JSON')
}

/**
 * Adds an element at the end of the array at a path, and creates the objects and the array that the path
 * needs. The text is valid.
 */
export const append = (text: string, path: readonly string[], value: unknown): string => {
  const source = text.trim() === '' ? '{}\n' : text
  let node = expectRoot(source)
  for (const [depth, name] of path.entries()) {
    const child = findNodeAtLocation(node, [name])
    if (!child) return add(source, node, nest(path.slice(depth + 1), [value]), name)
    node = child
  }
  return add(source, node, value)
}

const nest = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)

/**
 * Removes a property or an element with its line and the comma that separated it. Objects and arrays that
 * only contained it are removed too. Comments are kept.
 */
export const remove = (text: string, path: JSONPath): string => {
  const root = parseTree(text, [], TOLERANT)
  const found = root && findNodeAtLocation(root, path)
  if (!root || !found) return text
  const item = emptied(text, itemOf(found))
  const after = applyEdits(text, removal(text, item))
  const rest = parseTree(after, [], TOLERANT)
  if (!rest || rest.children?.length || item.parent !== root) return after
  const inside = after.slice(rest.offset + 1, rest.offset + rest.length - 1)
  return inside.trim()
    ? after
    : applyEdits(after, [cut(rest.offset + 1, rest.offset + 1 + inside.length)])
}

/** The child of an object or array that has a value: the value itself, or its property. */
const itemOf = (value: Node): Node => (value.parent?.type === 'property' ? value.parent : value)

/** The outermost item that would be empty without an item. One with a comment is not empty. */
const emptied = (text: string, item: Node): Node => {
  const container = item.parent
  if (!container?.parent || container.children?.length !== 1) return item
  const around =
    text.slice(container.offset + 1, item.offset) +
    text.slice(item.offset + item.length, container.offset + container.length - 1)
  return /^[\s,]*$/.test(around) ? emptied(text, itemOf(container)) : item
}

const removal = (text: string, item: Node): Edit[] => {
  const siblings = item.parent?.children ?? []
  const previous = siblings[siblings.indexOf(item) - 1]
  const end = item.offset + item.length
  const ownComma = commaAfter(text, end)
  const comma = ownComma ?? (previous && commaAfter(text, previous.offset + previous.length))
  const isAdjacent = ownComma !== undefined && text.slice(end, ownComma).trim() === ''
  const until = isAdjacent ? ownComma + 1 : end
  const indent = skipBlanks(text, item.offset, -1)
  const rest = skipBlanks(text, until, 1)
  const isWholeLine = text[indent - 1] === '\n' && /^(?:\r?\n|$)/.test(text.slice(rest, rest + 2))
  const lineBreak = text[indent - 2] === '\r' ? 2 : 1
  const from = text[indent - 1] === '\n' ? item.offset : indent
  return [
    ...(comma === undefined || isAdjacent ? [] : [cut(comma, comma + 1)]),
    isWholeLine ? cut(indent - lineBreak, rest) : cut(from, until),
  ]
}

const cut = (from: number, to: number): Edit => ({ offset: from, length: to - from, content: '' })

/** The offset before or after the spaces and tabs at an offset. */
const skipBlanks = (text: string, offset: number, step: 1 | -1): number => {
  let at = offset
  const next = () => text[step === 1 ? at : at - 1]
  while (next() === ' ' || next() === '\t') at += step
  return at
}

/** The offset of the comma that follows a value; undefined if the object or array ends. */
const commaAfter = (text: string, from: number): number | undefined => {
  const scanner = createScanner(text, true)
  scanner.setPosition(from)
  scanner.scan()
  return text[scanner.getTokenOffset()] === ',' ? scanner.getTokenOffset() : undefined
}

/** Sets or removes the value at a path, for values of one line. */
export const change = (text: string, path: JSONPath, value: unknown): string => {
  const { unit, eol } = styleOf(text)
  const insertSpaces = !unit.startsWith('\t')
  const formattingOptions = { insertSpaces, tabSize: insertSpaces ? unit.length : 4, eol }
  return applyEdits(text, modify(text, path, value, { formattingOptions }))
}

/**
 * Adds a property at the end of an object, or an element at the end of an array, on separate lines.
 * jsonc-parser's `modify` would rewrite the previous property and move the comment after it.
 */
const add = (text: string, container: Node, value: unknown, name?: string): string => {
  const { unit, eol } = styleOf(text)
  const outer = indentAt(text, container.offset)
  const lines = JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${outer}${unit}`)
  const label = name === undefined ? '' : `${JSON.stringify(name)}: `
  const property = `${eol}${outer}${unit}${label}${lines}`
  const last = container.children?.at(-1)
  const from = last ? last.offset + last.length : container.offset + 1
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
