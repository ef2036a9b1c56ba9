import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf } from './common.ts'
import { endpoint } from './endpoint.ts'

export const Health = Type.Object({ status: Type.Literal('ok') })

export const SERVER_ROLES = ['all', 'web', 'worker'] as const
export type ServerRole = (typeof SERVER_ROLES)[number]

const PartState = OneOf(['ok', 'down', 'warming'])

export const Ready = Type.Object({
  status: OneOf(['ready', 'not_ready']),
  parts: Type.Record(Type.String(), PartState),
})
export type Ready = Static<typeof Ready>

export const HealthDetail = Type.Object({
  status: OneOf(['ok', 'warming', 'degraded']),
  version: Type.String(),
  role: OneOf(SERVER_ROLES, { description: '`SVC_ROLE` of this process' }),
  features: Type.Record(Type.String(), Type.Boolean(), {
    description: 'Whether each feature is on that `SVC_FEATURES` can turn off',
  }),
  uptime_seconds: Type.Integer(),
  parts: Type.Record(
    Type.String(),
    Type.Object({
      state: PartState,
      latency_ms: Nullable(Type.Number()),
      note: Type.Optional(Type.String()),
      suggestion: Type.Optional(
        Type.String({ description: 'How the operator gets better results of a part that is ok' }),
      ),
      action: Type.Optional(
        Type.String({ description: 'How the operator fixes the part; only if it is not ok' }),
      ),
    }),
  ),
})
export type HealthDetail = Static<typeof HealthDetail>

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
