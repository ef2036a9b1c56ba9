import type { App } from './app.ts'
import type { OpenStreams } from './platform/http/streams.ts'
import type { WebProcesses } from './platform/web-processes.ts'
import type { OnStop, ServerRun } from './run.ts'
import type { StartedFeature } from './services.ts'

const REQUESTS_STOP_TIMEOUT_MS = 8_000
export const DRAIN_MARGIN_MS = 1_000
/** A terminal and npm send the same Ctrl-C twice within this time. */
const REPEATED_STOP_MS = 1_000

/** Adds the stages that end background work and requests. They run in the reverse of their order. */
export const stopWithServer = (
  onStop: OnStop,
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

/**
 * Adds the stage that comes first: load balancers send no more requests before connections close. It makes the
 * server not ready, and answers requests for a while.
 * @returns a function that ends this while at once.
 */
export const drainFirst = (
  { log, drainMs, stopping, onStop }: ServerRun,
  others: Pick<WebProcesses, 'stop'> | undefined,
): (() => void) => {
  const hurry = Promise.withResolvers<void>()
  onStop({
    name: 'drain',
    timeoutMs: drainMs + DRAIN_MARGIN_MS,
    async stop() {
      others?.stop()
      stopping.abort()
      if (drainMs === 0) return
      log.info({ seconds: drainMs / 1000 }, 'stopping; requests are answered for a while')
      await Promise.race([Bun.sleep(drainMs), hurry.promise])
    },
  })
  return () => {
    hurry.resolve()
    others?.stop()
  }
}

/** Stops once. @param hurry ends the drain, at a second call that does not repeat the signal of the first. */
export const stopOf = (owned: AsyncDisposableStack, hurry: () => void): (() => Promise<void>) => {
  let stopped: { since: number; done: Promise<void> } | undefined
  return () => {
    stopped ??= { since: performance.now(), done: owned.disposeAsync() }
    if (performance.now() - stopped.since > REPEATED_STOP_MS) hurry()
    return stopped.done
  }
}
