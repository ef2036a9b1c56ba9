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
  return isDevice(trimmed) ? trimmed.replace(/^[^.]*/, (start) => `${start.trimEnd()}_`) : trimmed
}

/** Whether a name is that of a device on Windows. */
export const isDevice = (name: string): boolean =>
  RESERVED.has(name.split('.')[0]?.trim().toLowerCase() ?? '')

const trimEnd = (name: string): string => {
  let end = name.length
  while (end > 0 && ' .'.includes(name[end - 1] ?? '')) end--
  return name.slice(0, end)
}

/** Paths with the same key are the same file on some system: names without regard to case and normalization. */
export const pathKey = (path: string): string =>
  path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')

/** The longest name of a file in bytes, on the usual file systems. */
const MAX_FILE_NAME_BYTES = 255
const ENDING = '.md'

/** A name with an ending that fits into the name of a file: the start of the name, if it is too long. */
const withEnding = (name: string, ending: string): string => {
  const left = MAX_FILE_NAME_BYTES - Buffer.byteLength(ending)
  if (Buffer.byteLength(name) <= left) return name + ending
  let start = ''
  let size = 0
  for (const character of name) {
    size += Buffer.byteLength(character)
    if (size > left) break
    start += character
  }
  return trimEnd(start) + ending
}

/** The name itself, then the name with 2, 3 and so on. */
const numbered = (number: number): string => (number === 1 ? '' : ` ${number}`)

/** Paths that are in use. @param folders those of them that are folders. */
export const createNames = (paths: Iterable<string>, folders: Iterable<string> = []) => {
  const keys = new Set([...paths].map(pathKey))
  const spellings = new Set(folders)
  const folderOf = new Map([...spellings].map((path) => [pathKey(path), path]))
  /** The next number to try for a name, so that many memories that begin alike are named in linear time. */
  const next = new Map<string, number>()
  return {
    has: (path: string): boolean => keys.has(pathKey(path)),
    add: (path: string): void => void keys.add(pathKey(path)),
    /** Notes that a path is no folder, but a file or a link. */
    block(path: string): void {
      keys.add(pathKey(path))
      spellings.delete(path)
      folderOf.delete(pathKey(path))
    },
    /** The first folder of a name that is one, or can be created: `name`, `name 2` and so on. */
    folder(name: string): string {
      for (let number = 1; ; number++) {
        const path = name + numbered(number)
        if (spellings.has(path)) return path
        const spelling = folderOf.get(pathKey(path))
        if (spelling !== undefined) return spelling
        if (keys.has(pathKey(path))) continue
        keys.add(pathKey(path))
        spellings.add(path)
        folderOf.set(pathKey(path), path)
        return path
      }
    },
    /**
     * The first free path for a name: `name.md`, `name 2.md` and so on. It is in use from now on.
     * @param ending of the name, which a long name keeps.
     */
    free(name: string, folder = '', ending = ''): string {
      const prefix = folder ? `${folder}/` : ''
      const key = pathKey(prefix + name + ending)
      for (let number = next.get(key) ?? 1; ; number++) {
        const path = prefix + withEnding(name, `${ending}${numbered(number)}${ENDING}`)
        if (keys.has(pathKey(path))) continue
        keys.add(pathKey(path))
        next.set(key, number + 1)
        return path
      }
    },
  }
}

export type FileNames = ReturnType<typeof createNames>

/** The name of the folder that the memories of a thread begin in. */
export const threadFolder = (thread: string | null): string =>
  thread === null ? '' : nameFor(thread)

/** A path for a memory: its first words, in a folder for its thread. */
export const freePath = (
  names: FileNames,
  { content_text, thread }: { content_text: string; thread: string | null },
): string => {
  const folder = threadFolder(thread)
  return names.free(nameFor(content_text), folder && names.folder(folder))
}

/** A path for the file that keeps the local version of a conflict. @param day ISO 8601. */
export const conflictPath = (names: FileNames, path: string, day: string): string => {
  const slash = path.lastIndexOf('/')
  const name = path.slice(slash + 1).replace(/\.md$/i, '')
  return names.free(name, path.slice(0, Math.max(slash, 0)), ` (conflict ${day})`)
}
