import { Health, HealthDetail, Ready } from '../schemas/health.ts'
import { endpoint } from './endpoint.ts'

const tag = 'System'

export const health = endpoint({
  name: 'health',
  method: 'GET',
  path: '/api/health',
  tag,
  summary: 'Report that the process is running',
  credential: 'none',
  success: [200, Health],
})

export const ready = endpoint({
  name: 'ready',
  method: 'GET',
  path: '/api/ready',
  tag,
  summary:
    'Report whether the server can serve requests; 503 while the database is down, or the server stops',
  credential: 'none',
  success: [200, Ready],
  errors: { 503: ['not_ready'] },
})

export const healthDetail = endpoint({
  name: 'healthDetail',
  method: 'GET',
  path: '/api/health/detail',
  tag,
  summary: 'Report the state and latency of each part; 503 until recall is warm',
  credential: 'none',
  success: [200, HealthDetail],
  errors: { 503: ['health_report'] },
})
