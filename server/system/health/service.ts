import type { HealthDetail, Ready } from '../../../shared/schemas/system.ts'
import { ApiError } from '../../platform/http/error.ts'

/** A part of the server whose state can be asked. Throws when it is down. */
export interface Part {
  name: string
  /** Requests can be answered without it? Then it does not count for readiness. */
  required: boolean
  check(): Promise<{ state?: 'ok' | 'warming' | 'down'; note?: string }>
}

export type HealthService = ReturnType<typeof createHealthService>

const CHECK_TIMEOUT_MS = 2_000

export const createHealthService = (parts: Part[], version: string) => {
  const startedAt = performance.now()

  const look = async (part: Part): Promise<HealthDetail['parts'][string]> => {
    const start = performance.now()
    try {
      const { state = 'ok', note } = await withTimeout(part.check())
      return { state, latency_ms: milliseconds(start), ...(note && { note }) }
    } catch {
      return { state: 'down', latency_ms: null }
    }
  }
  const lookAtAll = async (asked: Part[]) =>
    Object.fromEntries(
      await Promise.all(asked.map(async (part) => [part.name, await look(part)] as const)),
    )

  return {
    /** @throws ApiError 503 naming what is down. */
    async ready(): Promise<Ready> {
      const states = await lookAtAll(parts.filter((part) => part.required))
      const down = Object.keys(states).filter((name) => states[name]?.state === 'down')
      if (down.length) throw new ApiError(503, `Not ready: ${down.join(', ')} down`)
      return {
        status: 'ready',
        parts: Object.fromEntries(Object.entries(states).map(([name, { state }]) => [name, state])),
      }
    },

    /** @throws ApiError 503 with the same report as its detail until recall is warm. */
    async detail(): Promise<HealthDetail> {
      const states = await lookAtAll(parts)
      const all = Object.values(states).map(({ state }) => state)
      const status = all.includes('warming') ? 'warming' : all.includes('down') ? 'degraded' : 'ok'
      const report: HealthDetail = {
        status,
        version,
        uptime_seconds: Math.floor((performance.now() - startedAt) / 1000),
        parts: states,
      }
      const requiredDown = parts.some(
        ({ name, required }) => required && states[name]?.state === 'down',
      )
      if (status === 'warming' || requiredDown) throw new ApiError(503, report)
      return report
    },
  }
}

const milliseconds = (start: number) => Math.round((performance.now() - start) * 100) / 100

const withTimeout = <T>(work: Promise<T>): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer in time')), CHECK_TIMEOUT_MS)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
