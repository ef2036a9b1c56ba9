/** The longest name of a file without its ending: file systems allow 255 bytes, and Windows paths of 260 characters. */
const MAX_NAME_CHARACTERS = 60
const MAX_NAME_BYTES = 160

const FALLBACK = 'memory'

/** Device names of Windows, which no file may have, with any ending. */
const RESERVED = new Set([
  ...['con', 'prn', 'aux', 'nul', 'conin$', 'conout$'],
  ...Array.from({ length: 10 }, (_, i) => [`com${i}`, `lpt${i}`]).flat(),
  ...['¹', '²', '³'].flatMap((digit) => [`com${digit}`, `lpt${digit}`]),
])

/** Letters, digits and marks of every script, emoji, and the punctuation that every system and Obsidian links allow. */
const UNSAFE = /(?!\u200d|\ufe0f)[^\p{L}\p{M}\p{N}\p{Extended_Pictographic} '’_.,()&+=@!~–—-]/gu

/**
 * The first words of a text as a name that every file system allows, without an ending. It is normalized (NFC), so
 * that macOS and Linux write it with the same bytes.
 */
export const nameFor = (text: string): string => {
  const line = text.split('\n', 50).find((each) => /[\p{L}\p{N}]/u.test(each)) ?? ''
  const words = line
    .slice(0, 500)
    .normalize('NFC')
    .replace(UNSAFE, ' ')
    .split(/\s+/)
    .filter(Boolean)
  let name = ''
  for (const word of words) {
    const longer = name ? `${name} ${word}` : shorten(word)
    if (shorten(longer) !== longer) break
    name = longer
  }
  return safeName(name)
}

const shorten = (text: string): string => {
  const characters = [...text].slice(0, MAX_NAME_CHARACTERS)
  while (Buffer.byteLength(characters.join('')) > MAX_NAME_BYTES) characters.pop()
  return characters.join('')
}

/** Not hidden, without a point or blank at an end, and no device. */
const safeName = (name: string): string => {
  const start = name.search(/[^ .,'~–—-]/)
  const trimmed = start < 0 ? '' : trimEnd(name.slice(start))
  if (trimmed === '') return FALLBACK
  return RESERVED.has(trimmed.split('.')[0]?.trim().toLowerCase() ?? '') ? `${trimmed}_` : trimmed
}

const trimEnd = (name: string): string => {
  let end = name.length
  while (end > 0 && ' .'.includes(name[end - 1] ?? '')) end--
  return name.slice(0, end)
}

/** Paths with the same key are the same file on some system: names without regard to case and normalization. */
export const pathKey = (path: string): string =>
  path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')

/** Paths that are in use. */
export const createNames = (paths: Iterable<string>) => {
  const keys = new Set([...paths].map(pathKey))
  /** The next number to try for a name, so that many memories that begin alike are named in linear time. */
  const next = new Map<string, number>()
  return {
    has: (path: string): boolean => keys.has(pathKey(path)),
    add: (path: string): void => void keys.add(pathKey(path)),
    /** The first free path for a name: `name.md`, `name 2.md` and so on. It is in use from now on. */
    free(name: string, folder = ''): string {
      const prefix = folder ? `${folder}/` : ''
      const key = pathKey(prefix + name)
      for (let number = next.get(key) ?? 1; ; number++) {
        const path = `${prefix}${name}${number === 1 ? '' : ` ${number}`}.md`
        if (keys.has(pathKey(path))) continue
        keys.add(pathKey(path))
        next.set(key, number + 1)
        return path
      }
    },
  }
}

export type Names = ReturnType<typeof createNames>

/** A path for a memory: its first words, in a folder for its thread. */
export const freePath = (
  names: Names,
  { content_text, thread }: { content_text: string; thread: string | null },
): string => names.free(nameFor(content_text), thread === null ? '' : nameFor(thread))

/** The name of the file that keeps the local version of a conflict. @param day ISO 8601. */
export const conflictName = (path: string, day: string): { name: string; folder: string } => {
  const slash = path.lastIndexOf('/')
  const file = path.slice(slash + 1).replace(/\.md$/i, '')
  return { name: `${file} (conflict ${day})`, folder: slash < 0 ? '' : path.slice(0, slash) }
}
