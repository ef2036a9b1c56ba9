import { watch } from 'node:fs'
import { followActivity } from '../../shared/activity-stream.ts'
import { ApiFailure, type Client, Unreachable } from '../../shared/client.ts'
import { type ActivityKind, listActivity } from '../../shared/contract/activity.ts'
import { asStream } from '../../shared/contract/endpoint.ts'
import { sleep } from '../../shared/timers.ts'
import type { Context } from '../context.ts'
import { isDependencies } from './ignored.ts'
import type { SyncReport } from './report.ts'
import { printChanges } from './report.ts'
import { type SessionOptions, syncFolder } from './session.ts'
import { createTrigger, type SyncTrigger } from './trigger.ts'

/** How often both sides are compared without an event: some file systems and servers report none. */
const POLL_MS = 30_000
/** How often a folder is looked at that cannot be watched. */
const FOLDER_POLL_MS = 2_000
const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 30_000

/**
 * Keeps the folder and the account equal until the signal is aborted. While the server cannot be reached it waits; the edits
 * of that time are synced when it is back.
 * @throws CliError for what a retry does not solve, such as too many deletions.
 */
export const watchFolder = async (session: SessionOptions, context: Context): Promise<void> => {
  const trigger = createTrigger()
  const end = new AbortController()
  using _ = watchFiles(session.root, trigger)
  const followed = followAccount(
    session.client,
    trigger,
    AbortSignal.any([session.signal, end.signal]),
  )
  try {
    context.io.info('Watching. Press Ctrl-C to stop.')
    await repeat(session, context, trigger)
    context.io.info('Stopped.')
  } finally {
    end.abort()
    await followed
  }
}

/** Syncs at each change until the signal is aborted. */
const repeat = async (
  session: SessionOptions,
  context: Context,
  trigger: SyncTrigger,
): Promise<void> => {
  const { io } = context
  const { signal } = session
  const shown = { warnings: '' }
  let retryMs = FIRST_RETRY_MS
  let isOnline = true
  while (!signal.aborted) {
    try {
      await show(context, await syncFolder(session), shown)
      if (!isOnline) io.info('The server is reachable again.')
      isOnline = true
      retryMs = FIRST_RETRY_MS
      await trigger.wait(POLL_MS, signal)
    } catch (error) {
      if (signal.aborted) return
      if (!isTemporary(error)) throw error
      if (isOnline) io.message(`${(error as Error).message}. Waiting for the server …`)
      isOnline = false
      await sleep(retryMs, signal)
      retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)
    }
  }
}

/** Whether the same request may succeed later. */
const isTemporary = (error: unknown): boolean =>
  error instanceof Unreachable ||
  (error instanceof ApiFailure && (error.status >= 500 || error.status === 429))

/** Prints a run. Warnings are printed when they change. */
const show = async (
  context: Context,
  { changes, warnings }: SyncReport,
  shown: { warnings: string },
): Promise<void> => {
  const { io, json } = context
  io.clear()
  const text = JSON.stringify(warnings)
  const fresh = text === shown.warnings ? [] : warnings
  shown.warnings = text
  if (!json) {
    printChanges(context, { changes, warnings: fresh })
    return
  }
  const values = [...changes, ...fresh.map((each) => ({ action: 'skipped', ...each }))]
  if (values.length) await io.write(io.streamedJson(values))
}

/** Reports changes of files that are not hidden. Where the system cannot watch folders, it reports them in intervals. */
export const watchFiles = (
  root: string,
  trigger: Pick<SyncTrigger, 'set' | 'setSaved'>,
  start: typeof watch = watch,
): Disposable => {
  let timer: ReturnType<typeof setInterval> | undefined
  const poll = () => {
    timer ??= setInterval(() => trigger.set(), FOLDER_POLL_MS)
  }
  try {
    const watcher = start(root, { recursive: true }, (_, name) => {
      if (name === null || !isHiddenPath(name)) trigger.setSaved()
    })
    // For example: more folders than the system watches.
    watcher.on('error', poll)
    return {
      [Symbol.dispose]() {
        watcher.close()
        clearInterval(timer)
      },
    }
  } catch {
    poll()
    return { [Symbol.dispose]: () => clearInterval(timer) }
  }
}

const isHiddenPath = (path: string): boolean =>
  path.split(/[/\\]/).some((name) => name.startsWith('.') || isDependencies(name))

/** Kinds of activity that change memories. */
const CHANGING = ['memory.', 'conversation.', 'import.']

const changesMemories = (kind: ActivityKind): boolean =>
  CHANGING.some((prefix) => kind.startsWith(prefix))

/** Reports the changes of the account until the signal. The comparison in intervals reports what is wrong. */
const followAccount = (client: Client, trigger: SyncTrigger, signal: AbortSignal): Promise<void> =>
  followActivity({
    signal,
    open: (query) => client.call(asStream(listActivity), { query, signal }),
    // After a lost connection, the account may have changed.
    onReady: () => trigger.set(),
    onEvent({ kind }) {
      if (changesMemories(kind)) trigger.set()
    },
  })
