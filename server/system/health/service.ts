import type { HealthDetail, Ready } from '../../../shared/contract/health.ts'
import { health, healthDetail, ready } from '../../../shared/contract/index.ts'
import { defineErrors } from '../../platform/http/error.ts'
import type { Mount } from '../../platform/http/route.ts'

/** A part of the server with a health check. */
export interface Part {
  name: string
  /** Whether the server is not ready without it. */
  required: boolean
  /** The text of `ready` when the part is down. The message of the check's error follows it. */
  down?: string
  /** How the operator fixes the part. */
  action: string
  /** @throws when the part is down. */
  check(): Promise<{ state?: 'ok' | 'warming' | 'down'; note?: string; suggestion?: string }>
}

export type HealthService = ReturnType<typeof createHealthService>

const CHECK_TIMEOUT_MS = 2_000

export const createHealthService = (
  listParts: () => Part[],
  {
    version,
    role,
    features,
    isDraining,
  }: Pick<HealthDetail, 'version' | 'role' | 'features'> & { isDraining(): boolean },
) => {
  const startedAt = performance.now()

  const checkParts = async (selected: Part[]) =>
    Object.fromEntries(
      await Promise.all(selected.map(async (part) => [part.name, await checkPart(part)] as const)),
    )

  return {
    /** @throws ApiError 503 with the names of the parts that are down, or while the server stops. */
    async ready(): Promise<Ready> {
      if (isDraining()) throw healthError('not_ready', 'the server is stopping')
      const parts = listParts()
      const states = await checkParts(parts.filter((part) => part.required))
      const down = parts.filter(({ name }) => states[name]?.state === 'down')
      if (down.length) {
        const names = down.filter(({ down }) => !down).map(({ name }) => name)
        const problems = [
          ...(names.length ? [`${names.join(', ')} down`] : []),
          ...down.flatMap(({ name, down }) => (down ? [`${down} (${states[name]?.note})`] : [])),
        ]
        throw healthError('not_ready', problems.join('; '))
      }
      return {
        status: 'ready',
        parts: Object.fromEntries(Object.entries(states).map(([name, { state }]) => [name, state])),
      }
    },

    /** @throws ApiError 503 with the report as its detail while recall warms up or a required part is down. */
    async detail(): Promise<HealthDetail> {
      const parts = listParts()
      const states = await checkParts(parts)
      const all = Object.values(states).map(({ state }) => state)
      const status = all.includes('warming') ? 'warming' : all.includes('down') ? 'degraded' : 'ok'
      const report: HealthDetail = {
        status,
        version,
        role,
        features,
        uptime_seconds: Math.floor((performance.now() - startedAt) / 1000),
        parts: states,
      }
      const requiredDown = parts.some(
        ({ name, required }) => required && states[name]?.state === 'down',
      )
      if (status === 'warming' || requiredDown) throw healthError('health_report', report)
      return report
    },
  }
}

const checkPart = async (part: Part): Promise<HealthDetail['parts'][string]> => {
  const start = performance.now()
  try {
    const { state = 'ok', note, suggestion } = await withTimeout(part.check())
    const { action } = part
    return {
      state,
      latency_ms: milliseconds(start),
      ...(note && { note }),
      ...(suggestion && { suggestion }),
      ...(state !== 'ok' && { action }),
    }
  } catch (error) {
    const note = part.down && (error as Error).message
    return { state: 'down', latency_ms: null, ...(note && { note }), action: part.action }
  }
}

const milliseconds = (start: number) => Math.round((performance.now() - start) * 100) / 100

const withTimeout = <T>(work: Promise<T>): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('health check timed out')), CHECK_TIMEOUT_MS)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

const healthError = defineErrors({
  not_ready: (problems: string) => ({ status: 503, detail: `Not ready: ${problems}` }),

  /** The report is the `detail` while recall is warming up or a required part is down. */
  health_report: (report: HealthDetail) => ({ status: 503, detail: { ...report } }),
})

export const healthRoutes = (mount: Mount, healthService: HealthService): void => {
  mount(health, () => ({ status: 'ok' }) as const)
  mount(ready, () => healthService.ready())
  mount(healthDetail, () => healthService.detail())
}
