import { stripVTControlCharacters } from 'node:util'
import { exitCode } from './exit.ts'
import { formatTable } from './table.ts'

/** Output to the terminal. Tests replace it. */
export interface Io {
  /** Writes data to stdout. Pass external text through `stripControls` or `oneLine` first. */
  print(text: string): void
  /** Writes one JSON value to stdout. */
  printJson(value: unknown): void
  /**
   * Writes a table to stdout, no wider than the terminal.
   * @param optional number of columns before the last that are dropped in a narrow terminal.
   */
  printTable(rows: string[][], optional?: number): void
  /** Writes a part of a large output to stdout. Resolves when stdout accepts more. */
  write(text: string): Promise<void>
  /** Writes a message to stderr, without control characters and credentials. */
  message(text: string): void
  /** Writes an informational message to stderr, unless `--quiet` is set. */
  info(text: string): void
  /** Shows progress on a terminal, replacing the previous status. */
  showProgress(text: string): void
  /** Shows a spinner on a terminal until the next output. */
  spin(text: string): void
  /** Clears the status that `showProgress` or `spin` shows. */
  clear(): void
  /** Whether a status is shown. */
  readonly isShowing: boolean
  /** Dims a text for stdout, if stdout is a terminal with color. */
  dim(text: string): string
  stdinIsTerminal: boolean
  stderrIsTerminal: boolean
}

interface IoOptions {
  color: boolean
  quiet: boolean
  /** Whether the terminal supports escape sequences. Without them no status is shown. */
  escapes: boolean
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 80

/** The streams are opened on first use, because opening them slows down every start. */
export const createIo = ({ color, quiet, escapes }: IoOptions): Io => {
  const stdout = once(() => process.stdout.on('error', onOutputError))
  const stderr = once(() => process.stderr.on('error', onOutputError))
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
  const message = (text: string) => {
    clear()
    stderr().write(`${redactSecrets(stripControls(text))}\n`)
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
    printTable(rows, optional) {
      clear()
      stdout().write(
        `${formatTable(rows, stdout().isTTY ? stdout().columns : undefined, optional)}\n`,
      )
    },
    write(text) {
      clear()
      // A failed write ends svc; see `onOutputError`.
      return new Promise((resolve) => {
        stdout().write(text, (error) => {
          if (!error) resolve()
        })
      })
    },
    message,
    info(text) {
      if (!quiet) message(text)
    },
    showProgress(text) {
      if (!isShown()) return
      clear()
      show(text)
    },
    spin(text) {
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

const once = <T>(create: () => T): (() => T) => {
  let value: T | undefined
  return () => {
    value ??= create()
    return value
  }
}

/** A reader such as `head` may close the pipe early; that is not an error. A full disk is. */
const onOutputError = ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(exitCode.done)
  console.error(
    `error: Cannot write the output (${code}).\nFree disk space, or write to another location.`,
  )
  process.exit(exitCode.failed)
}

/** Removes escape sequences and control characters, which could control the terminal. */
export const stripControls = (text: string): string =>
  stripVTControlCharacters(text).replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')

export const oneLine = (text: string): string => stripControls(text.replace(/\s+/g, ' '))

/** A JSON value in one line. */
export const jsonLine = (value: unknown): string => toJson(value)

/** Also escapes DEL and the C1 control characters, which JSON.stringify does not. */
const toJson = (value: unknown, indent?: number) =>
  JSON.stringify(value, null, indent).replace(
    /[\x7f-\x9f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  )

/** Hides API keys and tokens that were typed in a wrong place, such as `--key=svc_…`. */
const redactSecrets = (text: string) =>
  text
    .replace(/svc_[\w-]{16,}/g, 'svc_[hidden]')
    .replace(/(?<![\w-])[\w-]+\.[\w-]+\.[\w-]+/g, (token) =>
      token.includes('eyJ') ? '[hidden]' : token,
    )
