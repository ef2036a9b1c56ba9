import { timingSafeEqual } from 'node:crypto'
import type { Elysia } from 'elysia'
import { bearerToken } from '../../platform/http/guard.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { hashSecret } from '../../platform/secrets.ts'
import { metricsError } from './errors.ts'
import { addGauges, type GaugeSources } from './gauges.ts'

export interface MetricsAccess {
  metrics: Metrics
  /** `SVC_METRICS_TOKEN` */
  token: string
  sources: GaugeSources
}

/** Serves `/metrics` in the text format of Prometheus to a client with the bearer token. */
export const serveMetrics = (app: Elysia, { metrics, token, sources }: MetricsAccess): void => {
  const { registry } = metrics
  const readGauges = addGauges(registry, sources)
  const expected = Buffer.from(hashSecret(token))
  app.get(
    '/metrics',
    async ({ request }) => {
      const input = Buffer.from(hashSecret(bearerToken(request.headers.get('authorization')) ?? ''))
      if (!timingSafeEqual(input, expected)) throw metricsError('wrong_metrics_token')
      await readGauges()
      return new Response(await registry.metrics(), {
        headers: { 'content-type': registry.contentType },
      })
    },
    { detail: { hide: true } },
  )
}
