import { stripVTControlCharacters } from 'node:util'
import { redactUrls } from '../shared/redact.ts'
import { exitCode } from './errors.ts'
import { nameCommand } from './executable.ts'
import type { OutputStream, Runtime } from './runtime.ts'
import { formatTable } from './table.ts'

/** The output of a command, and the runtime that has its input. */
export type Io = ReturnType<typeof createIo>

/** Returns the text of `--jq` or `--template` for some values. An empty text prints nothing. */
export type JsonFormat = (values: readonly unknown[]) => string

/** The fields that `--json` names. Both functions throw a CliError that lists the known fields for an unknown one. */
export interface FieldSelection {
  /** Checks the fields before the command prints a value with the known ones. */
  check(known: readonly string[]): void
  /** Reduces a value to the fields: those of the value, or of the entries of a list. */
  select(value: unknown): unknown
}

interface IoOptions {
  color: boolean
  quiet: boolean
  /** Whether the terminal supports escape sequences. Without them no status is shown. */
  escapes: boolean
  /** The command of the pager; undefined disables it. */
  pager?: string | undefined
  format?: JsonFormat | undefined
  /** The fields of `--json`. */
  fields?: FieldSelection | undefined
}

/** The streams are opened on first use, because opening them slows down every start. */
export const createIo = (
  runtime: Runtime,
  { color, quiet, escapes, pager, format, fields }: IoOptions,
) => {
  const stdout = once(() => withErrorHandler(runtime.stdout, runtime))
  const stderr = once(() => withErrorHandler(runtime.stderr, runtime))
  const status = createStatus(stderr, color, () => escapes && !quiet && Boolean(stderr().isTTY))
  const message = (text: string) => {
    status.clear()
    stderr().write(`${nameCommand(redactSecrets(stripControls(text)), runtime)}\n`)
  }
  const columns = () => (stdout().isTTY ? stdout().columns : undefined)
  const print = (text: string) => {
    status.clear()
    stdout().write(`${text}\n`)
  }
  let isKnown = false
  const selected = (values: readonly unknown[]) => {
    if (!fields) return values
    try {
      return values.map(fields.select)
    } catch (error) {
      // The command has run, and may have created a key that is shown only once.
      stdout().write(`${values.map(indentedJson).join('\n')}\n`)
      throw error
    }
  }
  const formatted = (all: readonly unknown[], toText: (value: unknown) => string) => {
    const values = selected(all)
    const text = format ? format(values) : values.map(toText).join('\n')
    return text && `${text}\n`
  }
  const showInPager = async (text: string, command: string) =>
    (await import('./programs.ts')).showInPager(`${text}\n`, command, runtime)
  const page = async (text: string) => {
    status.clear()
    if (!(pager && isLong(text, stdout()) && (await showInPager(text, pager)))) print(text)
  }
  return {
    ...status,
    runtime,
    get isShowing() {
      return status.isShowing
    },
    /** Writes data to stdout. Pass external text through `stripControls` or `oneLine` first. */
    print,
    /**
     * Says which fields `printJson` will print, before a request changes something. The first call counts.
     * @throws CliError for a field of `--json` that is none of them.
     */
    willPrint(known: readonly string[]): void {
      if (!isKnown) fields?.check(known)
      isKnown = true
    },
    /** Writes one JSON value to stdout, through `--jq` or `--template`. */
    printJson(value: unknown): void {
      status.clear()
      stdout().write(formatted([value], indentedJson))
    },
    /** Values of a stream as lines of JSON, or as the text of `--jq` or `--template`. */
    streamedJson: (values: readonly unknown[]): string => formatted(values, jsonLine),
    /**
     * Writes a table to stdout, no wider than the terminal, and in the pager if it is longer.
     * @param minor indexes of the columns that may be dropped, the least useful first.
     */
    printTable: (rows: string[][], minor?: readonly number[]): Promise<void> =>
      page(formatTable(rows, columns(), minor)),
    /** Writes a text to stdout, in the pager if it is longer than the terminal. */
    page,
    /** Writes a part of a large output to stdout. Resolves when stdout accepts more. */
    write(part: string | Uint8Array): Promise<void> {
      status.clear()
      // A failed write ends svc; see `onOutputError`.
      return new Promise((resolve) => {
        stdout().write(part, (error) => {
          if (!error) resolve()
        })
      })
    },
    /** Writes a message to stderr, without control characters and credentials. Hints name the command. */
    message,
    /** Writes an informational message to stderr, unless `--quiet` is set. */
    info(text: string): void {
      if (!quiet) message(text)
    },
    /** Makes a text bold for stdout, if stdout is a terminal with color. */
    bold: (text: string): string => (color && stdout().isTTY ? `\x1b[1m${text}\x1b[22m` : text),
    /** Dims a text for stdout, if stdout is a terminal with color. */
    dim: (text: string): string => (color && stdout().isTTY ? `\x1b[2m${text}\x1b[22m` : text),
    get stdinIsTerminal() {
      return runtime.stdin.isTTY
    },
    get stdoutIsTerminal() {
      return Boolean(stdout().isTTY)
    },
    get stderrIsTerminal() {
      return Boolean(stderr().isTTY)
    },
    /** The width of the terminal of stdout; undefined for a pipe or file. */
    get columns() {
      return columns()
    },
  }
}

/** Whether a text needs more rows than a terminal has. */
const isLong = (text: string, { isTTY, rows = 0, columns = 0 }: OutputStream): boolean =>
  isTTY === true && countRows(text, columns) >= rows

/** How many rows of the terminal a text needs. Long lines are continued in the next row. */
const countRows = (text: string, columns: number): number =>
  text
    .split('\n')
    .reduce((rows, line) => rows + Math.max(1, Math.ceil(Bun.stringWidth(line) / columns)), 0)

const once = <T>(create: () => T): (() => T) => {
  let value: T | undefined
  return () => {
    value ??= create()
    return value
  }
}

/** A reader such as `head` may close the pipe early; that is not an error. A full disk is. */
const withErrorHandler = (stream: OutputStream, runtime: Runtime): OutputStream =>
  stream.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return runtime.exit(exitCode.done)
    runtime.stderr.write(
      `error: Cannot write the output (${code}).\nFree disk space, or write to another location.\n`,
    )
    runtime.exit(exitCode.failed)
  })

/** Removes escape sequences and control characters, which could control the terminal. */
export const stripControls = (text: string): string =>
  stripVTControlCharacters(text).replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')

export const oneLine = (text: string): string => stripControls(text.replace(/\s+/g, ' '))

/** A JSON value in one line. */
export const jsonLine = (value: unknown): string => toJson(value)

/** A JSON value in indented lines. */
export const indentedJson = (value: unknown): string => toJson(value, 2)

/** Also escapes DEL and the C1 control characters, which JSON.stringify does not. */
const toJson = (value: unknown, indent?: number) =>
  JSON.stringify(value, null, indent).replace(
    /[\x7f-\x9f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  )

/** Hides passwords, API keys and tokens that were typed in a wrong place, such as `--key=svc_…`. */
const redactSecrets = (text: string) =>
  redactUrls(text)
    .replace(/svc_[\w-]{16,}/g, 'svc_[hidden]')
    .replace(/(?<![\w-])[\w-]+\.[\w-]+\.[\w-]+/g, (token) =>
      token.includes('eyJ') ? '[hidden]' : token,
    )

export type Status = ReturnType<typeof createStatus>

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 80

/**
 * A line on stderr that is replaced by the next output.
 * @param animated whether the spinner moves.
 * @param isEnabled whether a status is shown at all.
 */
export const createStatus = (
  stderr: () => OutputStream,
  animated: boolean,
  isEnabled: () => boolean,
) => {
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
  return {
    /** Shows progress on a terminal, replacing the previous status. */
    showProgress(text: string): void {
      if (!isEnabled()) return
      clear()
      show(text)
    },
    /** Shows a spinner on a terminal until the next output. */
    spin(text: string): void {
      if (!isEnabled()) return
      clear()
      let frame = 0
      show(text)
      if (!animated) return
      timer = setInterval(() => show(`${FRAMES[frame++ % FRAMES.length]} ${text}`), FRAME_MS)
      timer.unref()
    },
    /** Clears the status that `showProgress` or `spin` shows. */
    clear,
    /** Whether a status is shown. */
    get isShowing() {
      return isShowing
    },
  }
}
