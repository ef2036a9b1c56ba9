import type { App } from './app.ts'
import type { OpenStreams } from './platform/http/streams.ts'
import type { Log } from './platform/log.ts'
import type { ShutdownStage } from './platform/shutdown.ts'
import type { StartedFeature } from './services.ts'

const REQUESTS_STOP_TIMEOUT_MS = 8_000

/** Adds the stages that end background work and requests. They run in the reverse of their order. */
export const stopWithServer = (
  onStop: (stage: ShutdownStage) => void,
  app: App,
  features: readonly StartedFeature[],
  streams: OpenStreams,
): void => {
  const running = features.filter(({ isOn }) => isOn)
  for (const { feature, service } of running) feature.close?.(service).forEach(onStop)
  onStop({ name: 'open connections', stop: () => app.server?.stop(true) })
  onStop({
    name: 'requests',
    timeoutMs: REQUESTS_STOP_TIMEOUT_MS,
    stop: () => Promise.all([app.server?.stop(false), streams.close()]),
  })
  for (const { feature, service } of running) feature.stop?.(service).forEach(onStop)
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
