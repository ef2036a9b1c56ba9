import { hostname } from 'node:os'

/** A line of the log of one process. */
export interface KeptLine {
  /** Sorts lines of all processes by time. */
  key: string
  /** JSON as it was written. A very long one is cut. */
  text: string
}

export interface LineFilter {
  /** Lower-case words that a line must contain. */
  words: string[]
  /** The lines have one of these levels. */
  levels: string[]
  /** Only lines with a lower key. */
  before: string | undefined
  limit: number
}

/** The last lines of the log of this process. */
export type LogRing = ReturnType<typeof createLogRing>

const MAX_LINES = 2_000
const MAX_CHARACTERS = 1024 * 1024
const MAX_LINE = 16 * 1024

/** Names the process in the keys of its lines. */
export const PROCESS_NAME = `${hostname()}/${process.pid}`

export const createLogRing = () => {
  const lines: KeptLine[] = []
  let characters = 0
  let count = 0
  return {
    add(line: string): void {
      const text = line.length > MAX_LINE ? line.slice(0, MAX_LINE) : line.trimEnd()
      count++
      const key = `${new Date().toISOString()} ${PROCESS_NAME} ${String(count).padStart(12, '0')}`
      lines.push({ key, text })
      characters += text.length
      if (lines.length <= MAX_LINES && characters <= MAX_CHARACTERS) return
      // Many at once, because each removal moves those that stay.
      const surplus = Math.max(1, Math.floor(lines.length / 10))
      for (const { text } of lines.splice(0, surplus)) characters -= text.length
    },

    /** Newest first. */
    find({ words, levels, before, limit }: LineFilter): KeptLine[] {
      const found: KeptLine[] = []
      for (const line of lines.toReversed()) {
        if (found.length === limit) break
        if (before !== undefined && line.key >= before) continue
        if (!levels.some((level) => line.text.startsWith(`{"level":"${level}"`))) continue
        const lower = line.text.toLowerCase()
        if (words.every((word) => lower.includes(word))) found.push(line)
      }
      return found
    },
  }
}
