import { defineErrors } from '../../platform/http/error.ts'

export const metricsError = defineErrors({
  wrong_metrics_token: {
    status: 401,
    detail: 'The bearer token is not SVC_METRICS_TOKEN',
    headers: { 'www-authenticate': 'Bearer realm="metrics"' },
  },
})
