import type { HealthDetail } from '../../../shared/contract/health.ts'
import { defineErrors } from '../../platform/http/error.ts'

export const healthError = defineErrors({
  not_ready: (problems: string) => ({ status: 503, detail: `Not ready: ${problems}` }),
  /** The report is the `detail` while recall is warming up or a required part is down. */
  health_report: (report: HealthDetail) => ({ status: 503, detail: { ...report } }),
})
