import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf } from './common.ts'

export const Health = Type.Object({ status: Type.Literal('ok') })

const PartState = OneOf(['ok', 'down', 'warming'])

export const Ready = Type.Object({
  status: OneOf(['ready', 'not_ready']),
  parts: Type.Record(Type.String(), PartState),
})
export type Ready = Static<typeof Ready>

export const HealthDetail = Type.Object({
  status: OneOf(['ok', 'warming', 'degraded']),
  version: Type.String(),
  uptime_seconds: Type.Integer(),
  parts: Type.Record(
    Type.String(),
    Type.Object({
      state: PartState,
      latency_ms: Nullable(Type.Number()),
      note: Type.Optional(Type.String()),
      action: Type.Optional(
        Type.String({ description: 'How the operator fixes the part; only if it is not ok' }),
      ),
    }),
  ),
})
export type HealthDetail = Static<typeof HealthDetail>
