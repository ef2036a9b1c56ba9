import { stripVTControlCharacters } from 'node:util'
import { exitCode } from './exit.ts'

/** The terminal, or what stands in for it. */
export interface Io {
  /** Writes data to stdout. Text that came from elsewhere has been through `safe` or `oneLine`. */
  print(text: string): void
  /** Writes one JSON value to stdout. */
  printJson(value: unknown): void
  /** Writes a part of much data to stdout; done when stdout takes more. */
  write(text: string): Promise<void>
  /** Writes a message to stderr, without control characters and without credentials. */
  say(text: string): void
  /** Shows on stderr how far something has come, in place of what was shown before, to a person. */
  progress(text: string): void
  /** Makes a text of stdout less prominent, where that can be seen. */
  dim(text: string): string
  stdinIsTerminal: boolean
  stderrIsTerminal: boolean
}

export const createIo = (color: boolean): Io => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endQuietly)
  const dimmed = color && process.stdout.isTTY
  /** What is shown of a progress goes when something else is said. */
  let isShowing = false
  const clear = () => {
    if (isShowing) process.stderr.write('\r\x1b[K')
    isShowing = false
  }
  return {
    print(text) {
      clear()
      process.stdout.write(`${text}\n`)
    },
    printJson(value) {
      clear()
      process.stdout.write(`${toJson(value, 2)}\n`)
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
      }),
    say(text) {
      clear()
      process.stderr.write(`${redact(safe(text))}\n`)
    },
    progress(text) {
      if (!process.stderr.isTTY) return
      clear()
      process.stderr.write(oneLine(text))
      isShowing = true
    },
    dim: (text) => (dimmed ? `\x1b[2m${text}\x1b[22m` : text),
    stdinIsTerminal: Boolean(process.stdin.isTTY),
    stderrIsTerminal: Boolean(process.stderr.isTTY),
  }
}

/** Whoever read our output has seen enough, as `head` does: that is no failure. */
const endQuietly = (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCode.done)
  throw error
}

/** A text without escape sequences and control characters, which could command the terminal. */
export const safe = (text: string): string =>
  stripVTControlCharacters(text).replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')

export const oneLine = (text: string): string => safe(text.replace(/\s+/g, ' '))

/** One JSON value in one line. */
export const jsonLine = (value: unknown): string => toJson(value)

/** JSON escapes the control characters below space alone; the others have their escapes too. */
const toJson = (value: unknown, indent?: number) =>
  JSON.stringify(value, null, indent).replace(
    /[\x7f-\x9f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  )

/** Hides API keys and tokens, which get into messages by a slip of the hand: `--key=svc_…`. */
const redact = (text: string) =>
  text
    .replace(/svc_[\w-]{16,}/g, 'svc_[hidden]')
    .replace(/eyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g, '[hidden]')

/** Rows in columns, each as wide as its widest cell. */
export const table = (rows: string[][]): string => {
  const widths = rows.reduce<number[]>(
    (found, row) => row.map((cell, i) => Math.max(found[i] ?? 0, Bun.stringWidth(cell))),
    [],
  )
  const pad = (cell: string, i: number) =>
    cell + ' '.repeat((widths[i] ?? 0) - Bun.stringWidth(cell))
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')
}
