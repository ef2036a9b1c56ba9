import pino, { type DestinationStream, type Logger } from 'pino'
import { redactUrls } from '../../shared/redact.ts'
import { createLogRing, type LogRing } from './log-ring.ts'

export type Log = Logger

/**
 * Writes JSON lines to stdout. Callers log ids, names of operations and numbers: never a secret, token,
 * key, password, query string or user content.
 */
export const createLog = (
  level: string,
  destination: DestinationStream = createBufferedStdout(),
): Log => {
  const ring = createLogRing()
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError, cause: describeError },
    },
    keeping(ring, destination),
  )
  rings.set(log, ring)
  return log
}

const rings = new WeakMap<Log, LogRing>()

/** The last lines of a log. */
export const ringOf = (log: Log): LogRing => rings.get(log) ?? createLogRing()

type Destination = DestinationStream & { lastLevel?: number }

/** Also keeps the lines. */
const keeping = (ring: LogRing, destination: Destination): DestinationStream =>
  ({
    // Makes pino set `lastLevel` before each write.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      ring.add(line)
      destination.lastLevel = this.lastLevel
      destination.write(line)
    },
  }) as Destination & { lastLevel: number }

let forward: ((line: string) => void) | undefined

/** Also passes each line of this process to `receive`, for an exporter. */
export const forwardLogs = (receive: (line: string) => void): void => {
  forward = receive
}

const BUFFER_CHARACTERS = 8 * 1024
const FLUSH_MS = 100
const WARN = pino.levels.values.warn ?? 0

/**
 * Buffers lines, because one system call per line is a tenth of the cost of a small request. A warning,
 * an error and the end of the process flush the buffer. The buffer of the destination (`minLength`) would
 * measure all that it holds at each line.
 */
const createBufferedStdout = (): DestinationStream => {
  const stdout = pino.destination({ dest: 1, sync: true })
  let buffered = ''
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (buffered) stdout.write(buffered)
    buffered = ''
  }
  process.once('exit', flush)
  return {
    lastLevel: 0,
    write(line: string) {
      buffered += line
      forward?.(line)
      if (this.lastLevel >= WARN || buffered.length >= BUFFER_CHARACTERS) flush()
      else timer ??= setTimeout(flush, FLUSH_MS).unref()
    },
  } as DestinationStream & { lastLevel: number }
}

/**
 * Serializes an error without user content. Messages and error objects of the database contain values
 * and parameters, so only their code, routine and constraint are logged. Other messages may have a URL with
 * a password.
 */
const describeError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return undefined
  const { name, code, routine, constraint, cause } = error as Error & Record<string, unknown>
  const fromDatabase = routine !== undefined || 'query' in error || 'params' in error
  return {
    name,
    code,
    ...(fromDatabase ? { routine, constraint } : { message: redactUrls(error.message) }),
    stack: error.stack?.split('\n').filter((line) => /^\s+at /.test(line)),
    cause: cause === undefined ? undefined : describeError(cause),
  }
}
