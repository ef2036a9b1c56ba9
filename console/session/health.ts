import { ApiFailure } from '../../shared/client.ts'
import type { HealthDetail } from '../../shared/contract/health.ts'
import { isObject } from '../../shared/objects.ts'

/** The report of a server that is not ready: the detail of a 503. */
export const healthReportOf = (error: unknown): HealthDetail | undefined => {
  if (!(error instanceof ApiFailure) || error.status !== 503) return undefined
  const { detail } = error
  return isObject(detail) && 'parts' in detail ? (detail as HealthDetail) : undefined
}
