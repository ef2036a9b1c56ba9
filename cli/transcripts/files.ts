import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { OnUnreadable, TranscriptFile } from './transcript.ts'

/** The files below a directory whose path fits, oldest change first. A missing directory has none. */
export const findFiles = async (
  directory: string,
  fits: (path: string) => boolean,
): Promise<TranscriptFile[]> => {
  const names = await readdir(directory, { recursive: true }).catch(() => [])
  const files: TranscriptFile[] = []
  for (const name of names.filter(fits)) {
    const path = join(directory, name)
    const found = await stat(path).catch(() => undefined)
    if (found?.isFile()) files.push({ path, changedAt: found.mtimeMs })
  }
  return files.sort((a, b) => a.changedAt - b.changedAt)
}

/** A longer line has a tool's output or an image, and is not read. */
const MAX_LINE_BYTES = 64 * 2 ** 20
const LINE_FEED = 10

/** The JSON values of the lines of a file, compressed with Zstandard if it is named so. */
export async function* readJsonLines(
  path: string,
  onUnreadable: OnUnreadable,
): AsyncGenerator<unknown> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const line of readLines(path, onUnreadable)) {
    let value: unknown
    try {
      const text = decoder.decode(line)
      if (text.trim() === '') continue
      value = JSON.parse(text)
    } catch {
      onUnreadable()
      continue
    }
    yield value
  }
}

async function* readLines(path: string, onTooLong: OnUnreadable): AsyncGenerator<Uint8Array> {
  const bytes = Bun.file(path).stream()
  const stream = path.endsWith('.zst') ? bytes.pipeThrough(new DecompressionStream('zstd')) : bytes
  let parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    let start = 0
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start)
      const part = chunk.subarray(start, end === -1 ? chunk.length : end)
      length += part.length
      if (length <= MAX_LINE_BYTES) parts.push(part)
      else parts = []
      if (end === -1) break
      if (length > MAX_LINE_BYTES) onTooLong()
      else if (length > 0) yield joinParts(parts)
      parts = []
      length = 0
      start = end + 1
    }
  }
  if (length > MAX_LINE_BYTES) onTooLong()
  else if (length > 0) yield joinParts(parts)
}

const joinParts = (parts: Uint8Array[]): Uint8Array => {
  const [first] = parts
  return parts.length === 1 && first ? first : Buffer.concat(parts)
}
