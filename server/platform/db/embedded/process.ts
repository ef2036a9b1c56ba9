import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import type { Log } from '../../log.ts'
import type { Binaries } from './binaries.ts'
import { explain, isStillInUse } from './failure.ts'
import { isReady, stopLeftover } from './leftover.ts'
import {
  type PostgresParameters,
  parameterArguments,
  socketDirectory,
  socketPath,
} from './parameters.ts'
import { ENVIRONMENT, type RunAs } from './run-as.ts'

export interface PostgresOptions {
  binaries: Binaries
  directory: string
  runAs: RunAs
  /** In addition to those of every embedded PostgreSQL. */
  parameters?: PostgresParameters | undefined
}

interface PostgresProcess {
  pid: number
  socket: string
  /** Resolves with the end of its error output when it and its child processes have ended. */
  exited: Promise<string>
  stop(): Promise<void>
}

/**
 * Starts a watcher and then executes the server in its own process. The watcher reads a pipe from svc,
 * which closes when svc ends for any reason, and then stops the server. Process ids are reused, so the
 * watcher first checks `postmaster.pid`; it retries, because a starting server has not written it yet.
 */
const LAUNCH = `
exec 3<&0 </dev/null
(
  exec >/dev/null 2>&1
  trap '' HUP INT TERM
  (
    while read -r _; do :; done <&3
    for _ in 1 2 3 4 5; do
      kill -0 $$ || exit
      read -r pid <"$0/postmaster.pid" && [ "$pid" = $$ ] && kill -INT $$ && exit
      sleep 1
    done
  ) &
)
exec "$@" 3<&-`

const POLL_MS = 5
const IN_USE_MS = 10_000
const IN_USE_PAUSE_MS = 100
/** A fast shutdown may exceed this on a slow disk. An immediate one follows, and the next start recovers. */
const FAST_SHUTDOWN_MS = 5_000
const STDERR_CHARACTERS = 4_000

/**
 * Starts PostgreSQL on a directory and waits until it accepts connections.
 * @throws StartError with the reason when it ends before that.
 */
export const startProcess = async (options: PostgresOptions): Promise<PostgresProcess> => {
  const deadline = Date.now() + IN_USE_MS
  for (;;) {
    await stopLeftover(options.directory)
    const started = await tryStart(options)
    if (typeof started !== 'string') return started
    if (!isStillInUse(started) || Date.now() > deadline) throw explain(started, options.directory)
    await Bun.sleep(IN_USE_PAUSE_MS)
  }
}

/** @returns the end of its error output if it ended instead. */
const tryStart = async (options: PostgresOptions): Promise<PostgresProcess | string> => {
  const { directory } = options
  const sockets = socketDirectory(directory, options.runAs)
  // The lock is stale, but another process may have the id in it, which would prevent the start.
  rmSync(`${socketPath(sockets)}.lock`, { force: true })
  const child = launch(options, sockets)
  const exited = outcome(child)
  const pid = child.pid ?? 0
  while (!isReady(directory, pid)) {
    const written = await Promise.race([exited, Bun.sleep(POLL_MS)])
    if (written !== undefined) return written
  }
  return {
    pid,
    socket: socketPath(sockets),
    exited,
    async stop() {
      child.kill('SIGINT')
      const timer = setTimeout(() => child.kill('SIGQUIT'), FAST_SHUTDOWN_MS)
      await exited
      clearTimeout(timer)
    },
  }
}

const launch = (options: PostgresOptions, sockets: string): ChildProcess => {
  const { binaries, directory, runAs, parameters } = options
  const socketParameter = { unix_socket_directories: `"${sockets.replaceAll('"', '""')}"` }
  const command = [
    ...[...runAs.prefix, binaries.postgres, '-D', directory],
    ...parameterArguments({ ...socketParameter, ...parameters }, binaries.major),
  ]
  return spawn('sh', ['-c', LAUNCH, directory, ...command], {
    // A separate session, so that Ctrl-C in the terminal reaches only svc, which then stops PostgreSQL.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    cwd: '/',
    env: ENVIRONMENT,
    uid: runAs.uid,
    gid: runAs.gid,
  })
}

/** Resolves with the end of its error output when it has ended. */
const outcome = async (child: ChildProcess): Promise<string> => {
  let written = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    written = (written + text).slice(-STDERR_CHARACTERS)
  })
  await once(child, 'close').catch((error: Error) => {
    written += error.message
  })
  child.stdin?.destroy()
  return written
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000

/**
 * Starts PostgreSQL and restarts it after a crash. Requests fail until it runs again, and the pools
 * reconnect.
 * @throws StartError when the first start fails.
 */
export const supervise = async (options: PostgresOptions, log?: Log) => {
  const stopping = Promise.withResolvers<'stopping'>()
  let current: PostgresProcess | undefined = await startProcess(options)
  const { socket } = current

  const restart = async () => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const next = await Promise.race([stopping.promise, Bun.sleep(pauseMs)])
      if (next === 'stopping') return
      try {
        current = await startProcess(options)
        log?.info({ pid: current.pid }, 'the embedded PostgreSQL runs again')
        return
      } catch (error) {
        log?.error({ error }, 'the embedded PostgreSQL does not start')
      }
    }
  }
  const watch = async () => {
    while (current) {
      const outcome = await Promise.race([stopping.promise, current.exited])
      if (outcome === 'stopping') return
      current = undefined
      log?.error({ output: outcome }, 'the embedded PostgreSQL ended; starting it again')
      await restart()
    }
  }
  const watching = watch()

  return {
    socket,

    /** Stops PostgreSQL and waits until it has ended. */
    async stop(): Promise<void> {
      stopping.resolve('stopping')
      await watching
      await current?.stop()
    },
  }
}
