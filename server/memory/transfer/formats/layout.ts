/**
 * How a file is laid out: one JSON value a line; the elements of an array, which begins `start` bytes
 * into the file; or one JSON value as a whole.
 */
export type Layout = { kind: 'lines' } | { kind: 'elements'; start: number } | { kind: 'whole' }

/** What is needed of a file to tell its layout. */
export const HEAD_BYTES = 64 * 1024

/** Where tools put the list, when what they write is an object around it. */
const LIST_KEYS = new Set(['results', 'memories', 'conversations'])

/** Tells the layout by how the file begins. One character of `head` is one byte. */
export const layoutOf = (head: string): Layout => {
  const first = head.search(/\S/)
  if (head[first] === '[') return { kind: 'elements', start: first + 1 }
  if (head[first] !== '{') return { kind: 'lines' }
  const start = listStart(head)
  if (start !== undefined) return { kind: 'elements', start }
  const line = head.slice(first).split('\n', 1)[0] ?? ''
  const isIndented = line.length < head.length - first && /[,[{]\s*$/.test(line)
  return { kind: isIndented && !isJson(line) ? 'whole' : 'lines' }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Strings, and whatever else matters to where in an object one is. */
const TOKEN = /"((?:[^"\\]|\\.)*)"|[[\]{}]/gs

/** Where the list of objects in an object begins, if it has one in its first bytes. */
const listStart = (head: string): number | undefined => {
  let depth = 0
  for (const { 0: token, 1: key, index } of head.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    if (depth === 0) return undefined
    if (depth > 1 || !LIST_KEYS.has(key ?? '')) continue
    const opening = /^\s*:\s*\[(?=\s*[{\]])/.exec(head.slice(index + token.length))
    if (opening) return index + token.length + opening[0].length
  }
  return undefined
}
