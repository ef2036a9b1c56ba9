import type { Log } from '../../log.ts'
import { type PostgresOptions, type PostgresProcess, startProcess } from './process.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000

interface Supervised {
  socket: string
  /** Stops PostgreSQL and waits until it has ended. */
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL and restarts it after a crash. Requests fail until it runs again, and the pools
 * reconnect.
 * @throws StartError when the first start fails.
 */
export const supervise = async (options: PostgresOptions, log?: Log): Promise<Supervised> => {
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
    async stop() {
      stopping.resolve('stopping')
      await watching
      await current?.stop()
    },
  }
}
