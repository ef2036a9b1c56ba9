import { stripVTControlCharacters } from 'node:util'
import { exitCode } from './exit.ts'
import { table } from './table.ts'

/** The terminal, or what stands in for it. */
export interface Io {
  /** Writes data to stdout. Text that came from elsewhere has been through `safe` or `oneLine`. */
  print(text: string): void
  /** Writes one JSON value to stdout. */
  printJson(value: unknown): void
  /**
   * Writes rows in columns to stdout, no wider than the terminal.
   * @param spare so many columns before the last one give way to it where there is little room.
   */
  printTable(rows: string[][], spare?: number): void
  /** Writes a part of much data to stdout; done when stdout takes more. */
  write(text: string): Promise<void>
  /** Writes a message to stderr, without control characters and without credentials. */
  say(text: string): void
  /** The same for what `--quiet` leaves out: that something went well, and what else there is. */
  note(text: string): void
  /** Shows on stderr how far something has come, in place of what was shown before, to a person. */
  progress(text: string): void
  /** Shows a person that something is being waited for, until anything else is shown. */
  wait(text: string): void
  /** Takes away what `progress` or `wait` have shown. */
  clear(): void
  /** Whether there is something that `clear` would take away. */
  readonly isShowing: boolean
  /** Makes a text of stdout less prominent, where that can be seen. */
  dim(text: string): string
  stdinIsTerminal: boolean
  stderrIsTerminal: boolean
}

export interface IoOptions {
  color: boolean
  quiet: boolean
  /** Whether the terminal knows escape sequences, without which nothing that was shown can go. */
  escapes: boolean
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 80

/** The streams are touched when they are used, because opening them takes time. */
export const createIo = ({ color, quiet, escapes }: IoOptions): Io => {
  const stdout = once(() => process.stdout.on('error', endUnread))
  const stderr = once(() => process.stderr.on('error', endUnread))
  /** What is shown of a progress goes when something else is said. */
  let isShowing = false
  let timer: ReturnType<typeof setInterval> | undefined
  const clear = () => {
    clearInterval(timer)
    if (isShowing) stderr().write('\r\x1b[K')
    isShowing = false
  }
  const show = (text: string) => {
    stderr().write(`\r\x1b[K${oneLine(text)}`)
    isShowing = true
  }
  const say = (text: string) => {
    clear()
    stderr().write(`${redact(safe(text))}\n`)
  }
  const isShown = () => escapes && !quiet && Boolean(stderr().isTTY)
  return {
    print(text) {
      clear()
      stdout().write(`${text}\n`)
    },
    printJson(value) {
      clear()
      stdout().write(`${toJson(value, 2)}\n`)
    },
    printTable(rows, spare) {
      clear()
      stdout().write(`${table(rows, stdout().isTTY ? stdout().columns : undefined, spare)}\n`)
    },
    write(text) {
      clear()
      // What cannot be written ends svc: see `endUnread`.
      return new Promise((resolve) => {
        stdout().write(text, (error) => {
          if (!error) resolve()
        })
      })
    },
    say,
    note(text) {
      if (!quiet) say(text)
    },
    progress(text) {
      if (!isShown()) return
      clear()
      show(text)
    },
    wait(text) {
      if (!isShown()) return
      clear()
      let frame = 0
      show(text)
      if (!color) return
      timer = setInterval(() => show(`${FRAMES[frame++ % FRAMES.length]} ${text}`), FRAME_MS)
      timer.unref()
    },
    clear,
    get isShowing() {
      return isShowing
    },
    dim: (text) => (color && stdout().isTTY ? `\x1b[2m${text}\x1b[22m` : text),
    get stdinIsTerminal() {
      return Boolean(process.stdin.isTTY)
    },
    get stderrIsTerminal() {
      return Boolean(stderr().isTTY)
    },
  }
}

const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Whoever read our output has seen enough, as `head` does: that is no failure. A full disk is. */
const endUnread = ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(exitCode.done)
  console.error(
    `error: The output cannot be written (${code}).\nMake room for it, or write it elsewhere.`,
  )
  process.exit(exitCode.failed)
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
