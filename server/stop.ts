import type { App } from './app.ts'
import type { OpenStreams } from './platform/http/streams.ts'
import type { Log } from './platform/log.ts'
import type { ShutdownStage } from './platform/shutdown.ts'
import type { Services } from './services.ts'

const REQUESTS_STOP_TIMEOUT_MS = 8_000

/** Adds the stages that end requests and background work, in the reverse of their order. */
export const stopWithServer = (
  onStop: (stage: ShutdownStage) => void,
  app: App,
  { account, memory, people, activity, backups, mcpAnswers }: Services,
  streams: OpenStreams,
): void => {
  // After everything that records.
  onStop({ name: 'activity', stop: activity.close })
  onStop({ name: 'MCP answers', stop: mcpAnswers.close })
  onStop({ name: 'signing keys', stop: account.keyring.close })
  onStop({ name: 'open connections', stop: () => app.server?.stop(true) })
  onStop({
    name: 'requests',
    timeoutMs: REQUESTS_STOP_TIMEOUT_MS,
    stop: () => Promise.all([app.server?.stop(false), streams.close()]),
  })
  onStop({ name: 'transfers', stop: memory.transfers.stop })
  onStop({ name: 'engines', stop: memory.engines.stop })
  onStop({ name: 'memory', stop: memory.stop })
  onStop({ name: 'direct message answers', stop: () => people.answers.stop() })
  onStop({ name: 'backfills', stop: memory.backfills.stop })
  onStop({ name: 'backups', stop: backups.stop })
  onStop({ name: 'vectors', stop: memory.vectors.stop })
}

/** Makes the server not ready, and answers requests for `ms` more milliseconds, or until `hurry` resolves. */
export const drain = async (
  stopping: AbortController,
  log: Log,
  ms: number,
  hurry: Promise<void>,
): Promise<void> => {
  stopping.abort()
  if (ms === 0) return
  log.info({ seconds: ms / 1000 }, 'stopping; requests are answered for a while')
  await Promise.race([Bun.sleep(ms), hurry])
}
