import { Health, HealthDetail, Ready } from '../schemas/system.ts'
import { endpoint } from './endpoint.ts'

const tag = 'System'

export const health = endpoint({
  name: 'health',
  method: 'GET',
  path: '/api/health',
  tag,
  summary: 'The process lives',
  credential: 'none',
  success: [200, Health],
})

export const ready = endpoint({
  name: 'ready',
  method: 'GET',
  path: '/api/ready',
  tag,
  summary: 'Requests can be answered; 503 while the database is down',
  credential: 'none',
  success: [200, Ready],
  errors: [503],
})

export const healthDetail = endpoint({
  name: 'healthDetail',
  method: 'GET',
  path: '/api/health/detail',
  tag,
  summary: 'Each part’s state and latency; 503 until recall is warm',
  credential: 'none',
  success: [200, HealthDetail],
  errors: [503],
})
