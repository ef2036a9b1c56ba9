import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Capture } from '../../shared/contract/capture.ts'
import { fieldsOf, isObject } from '../../shared/objects.ts'
import { type FileLock, lockFile } from '../file-lock.ts'
import { makePrivateDirectory, replacePrivateFile } from '../private-file.ts'
import { Refusal } from './outages.ts'
import type { TargetChoice } from './target.ts'

/** A turn that waits for its delivery. */
export interface SpooledCapture {
  target: TargetChoice
  capture: Capture
}

/** A turn that the server refuses for good. */
export interface RefusedCapture {
  name: string
  status: number | null
  message: string
  refused_at: string
  client: string | null
  session: string | null
}

export interface Delivery {
  /** The number of turns that the server has now. */
  sent: number
  /** The number that it refused for good. */
  refused: number
  /** The first error of a turn that still waits. */
  error?: unknown
}

/** At this size new turns are not kept: the oldest are the ones that cannot be repeated. */
export const MAX_SPOOL_BYTES = 64 * 1024 ** 2

export type TurnSpool = ReturnType<typeof openSpool>

/**
 * The turns that could not be sent yet, each in a file of its own in the configuration directory. The name of
 * a file has its time and its size, so that neither the order nor the bound needs its content.
 */
export const openSpool = (configDir: string) => {
  const waiting = join(configDir, 'hooks', 'spool')
  const refused = join(configDir, 'hooks', 'refused')

  const readRefused = (name: string): RefusedCapture => {
    const { refusal, capture } = fieldsOf(readJson(join(refused, name)))
    const { status, message, at } = fieldsOf(refusal)
    const { client, session } = fieldsOf(capture)
    return {
      name,
      status: typeof status === 'number' ? status : null,
      message: typeof message === 'string' ? message : 'The file cannot be read',
      refused_at: typeof at === 'string' ? at : timeOf(name),
      client: typeof client === 'string' ? client : null,
      session: typeof session === 'string' ? session : null,
    }
  }

  return {
    /**
     * Stores a turn durably.
     * @returns the name of its file; undefined if the spool is full. @throws CliError if it cannot be written.
     */
    add(entry: SpooledCapture, now: number): string | undefined {
      const text = JSON.stringify(entry)
      const bytes = Buffer.byteLength(text)
      const names = list(waiting)
      if (sizeOf(names) + sizeOf(list(refused)) + bytes > MAX_SPOOL_BYTES) return undefined
      makePrivateDirectory(waiting)
      // After those that wait, also when the clock of the machine goes back.
      const after = names.slice(-1).map((latest) => millisecondsOf(latest) + 1)
      const time = Math.min(Math.max(now, ...after), MAX_TIME)
      const name = `${String(time).padStart(14, '0')}-${nextNumber()}-${bytes}-${crypto.randomUUID()}.json`
      replacePrivateFile(join(waiting, name), text)
      return name
    },

    /** The names of the waiting turns, oldest first. */
    names: (): string[] => list(waiting),

    /** @returns undefined for a file that was removed meanwhile, or that cannot be read. */
    read(name: string): SpooledCapture | undefined {
      const { target, capture } = fieldsOf(readJson(join(waiting, name)))
      const { client, session, messages } = fieldsOf(capture)
      const isTurn = isText(client) && isText(session) && Array.isArray(messages)
      return isTurn && isObject(target) && Object.values(target).every(isText)
        ? ({ target, capture } as SpooledCapture)
        : undefined
    },

    remove: (name: string): void => rmSync(join(waiting, name), { force: true }),

    /** Sets a turn aside. In the middle it is in both folders, and is refused again. */
    refuse(name: string, refusal: Refusal | undefined, now: number): void {
      makePrivateDirectory(refused)
      const from = join(waiting, name)
      if (refusal) {
        const at = new Date(now).toISOString()
        const { status, message } = refusal
        const content = { ...fieldsOf(readJson(from)), refusal: { status, message, at } }
        replacePrivateFile(join(refused, name), JSON.stringify(content))
        rmSync(from, { force: true })
      } else renameSync(from, join(refused, name))
    },

    /** The turns that were refused, oldest first. */
    refused: (): RefusedCapture[] => list(refused).map(readRefused),

    /** Makes the refused turns wait again. */
    retry(): void {
      makePrivateDirectory(waiting)
      for (const name of list(refused)) renameSync(join(refused, name), join(waiting, name))
    },

    waitingBytes: (): number => sizeOf(list(waiting)),

    /** Whether new turns are not kept. The largest one has about this size. */
    isFull: (): boolean =>
      sizeOf(list(waiting)) + sizeOf(list(refused)) > MAX_SPOOL_BYTES - 1024 ** 2,

    /** Only one process delivers at a time, so that the turns arrive in order. */
    lock(timeoutMs: number): Promise<FileLock | undefined> {
      mkdirSync(waiting, { recursive: true, mode: 0o700 })
      return lockFile(join(configDir, 'hooks', 'spool.lock'), timeoutMs)
    },

    /** Removes the temporary files of processes that were killed. */
    clean(now: number): void {
      for (const name of readNames(waiting).filter((each) => each.endsWith('.tmp')))
        try {
          const path = join(waiting, name)
          if (now - statSync(path).mtimeMs > TEMPORARY_AGE_MS) rmSync(path, { force: true })
        } catch {}
    },
  }
}

const TEMPORARY_AGE_MS = 3_600_000

/** Turns of one process in the same millisecond keep their order. */
let lastNumber = 0
const nextNumber = (): string => String(lastNumber++ % 1_000_000).padStart(6, '0')

/** The largest time that a name has. A file with it, which a hand has made, stays the last one. */
const MAX_TIME = 99_999_999_999_999
const FILE = /^(\d{14})-\d{6}-(\d{1,12})-[0-9a-f-]{36}\.json$/

const list = (dir: string): string[] =>
  readNames(dir)
    .filter((name) => FILE.test(name))
    .sort()

const sizeOf = (names: string[]): number =>
  names.reduce((sum, name) => sum + Number(FILE.exec(name)?.[2] ?? 0), 0)

const millisecondsOf = (name: string): number => Number(FILE.exec(name)?.[1] ?? 0)

const timeOf = (name: string): string => new Date(millisecondsOf(name)).toISOString()

const isText = (value: unknown): boolean => typeof value === 'string'

const readNames = (dir: string): string[] => {
  try {
    return readdirSync(dir)
  } catch {
    return []
  }
}

const readJson = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

interface DeliveryOptions {
  /** Sends a turn. @throws Refusal if the server refuses it; another error if it does not answer. */
  send(entry: SpooledCapture, signal: AbortSignal): Promise<unknown>
  /** The limit of the whole delivery. */
  timeoutMs: number
  now: () => number
  onSent?: (count: number) => void
}

/** Sends the waiting turns in order. A server that fails blocks only the turns that belong to it. */
export const deliverSpool = async (
  spool: TurnSpool,
  options: DeliveryOptions,
): Promise<Delivery> => {
  const delivery: Delivery = { sent: 0, refused: 0 }
  if (spool.names().length === 0) return delivery
  const timeout = AbortSignal.timeout(options.timeoutMs)
  const lock = await spool.lock(options.timeoutMs)
  if (!lock) return { ...delivery, error: new Error('Another svc process delivers the turns') }
  try {
    spool.clean(options.now())
    await sendAll(spool, options, timeout, delivery)
  } finally {
    lock.close()
  }
  return delivery
}

const sendAll = async (
  spool: TurnSpool,
  { send, now, onSent }: DeliveryOptions,
  timeout: AbortSignal,
  delivery: Delivery,
): Promise<void> => {
  const seen = new Set<string>()
  const blocked = new Set<string>()
  for (;;) {
    // Turns that arrive meanwhile are sent too.
    const names = spool.names().filter((name) => !seen.has(name))
    if (names.length === 0) return
    for (const name of names) {
      if (timeout.aborted) {
        delivery.error ??= timeout.reason
        return
      }
      seen.add(name)
      // A turn that cannot be set aside, as on a full disk, waits; it blocks no other.
      const setAside = (refusal: Refusal | undefined) => {
        try {
          spool.refuse(name, refusal, now())
          delivery.refused += refusal ? 1 : 0
        } catch (error) {
          delivery.error ??= error
        }
      }
      const entry = spool.read(name)
      if (!entry) {
        if (spool.names().includes(name)) setAside(undefined)
        continue
      }
      const target = JSON.stringify(entry.target)
      if (blocked.has(target)) continue
      try {
        await send(entry, timeout)
        spool.remove(name)
        onSent?.(++delivery.sent)
      } catch (error) {
        if (error instanceof Refusal && error.isFinal) setAside(error)
        else {
          blocked.add(target)
          delivery.error ??= error
        }
      }
    }
  }
}
