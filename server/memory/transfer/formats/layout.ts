/**
 * The layout of a file: one JSON value per line, the elements of an array from byte `start`, or one
 * JSON value.
 */
type FileLayout = { kind: 'lines' } | { kind: 'elements'; start: number } | { kind: 'whole' }

/** The start of a file from which its layout is detected. */
export const HEAD_BYTES = 64 * 1024

/** Keys of the list in files that consist of one object. */
const LIST_KEYS = new Set(['results', 'memories', 'conversations'])

/** @param head the start of the file in Latin-1, so that a character is a byte. */
export const detectLayout = (head: string): FileLayout => {
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

/** The start of the list within an object, if it is in the first bytes. */
const listStart = (head: string): number | undefined => {
  let depth = 0
  for (const { token, isString, end } of tokensOf(head)) {
    if (!isString) depth += token === '{' || token === '[' ? 1 : -1
    if (depth === 0) return undefined
    if (depth > 1 || !isString || !LIST_KEYS.has(token)) continue
    const opening = /^\s*:\s*\[(?=\s*[{\]])/.exec(head.slice(end))
    if (opening) return end + opening[0].length
  }
  return undefined
}

/** Brackets, and strings without their quotes. */
function* tokensOf(head: string): Generator<{ token: string; isString: boolean; end: number }> {
  for (let at = 0; at < head.length; at++) {
    const character = head[at] as string
    if ('[]{}'.includes(character)) yield { token: character, isString: false, end: at + 1 }
    if (character !== '"') continue
    const start = at + 1
    for (at = start; at < head.length && head[at] !== '"'; at++) if (head[at] === '\\') at++
    if (at < head.length) yield { token: head.slice(start, at), isString: true, end: at + 1 }
  }
}
