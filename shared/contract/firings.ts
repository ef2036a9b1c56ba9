import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, PageSize, Timestamp, Uuid } from './common.ts'
import { TriggerEvent } from './reflex-triggers.ts'

const FIRING_STATES = ['pending', 'waiting', 'done', 'failed', 'skipped', 'limited'] as const

export const Firing = Type.Object(
  {
    firing_id: Uuid(),
    reflex_id: Uuid(),
    state: OneOf(FIRING_STATES, {
      description:
        '`pending`: about to run; `waiting`: needs confirmation; `skipped`: skipped by the user; `limited`: over the hourly limit.',
    }),
    event: TriggerEvent,
    error: Nullable(Type.String({ description: 'Why the firing did not run.' })),
    attempts: Type.Integer({ description: 'Number of failed attempts.' }),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { $id: 'Firing' },
)
export type Firing = Static<typeof Firing>

export const FiringQuery = Type.Object({
  limit: PageSize(50),
  before: Type.Optional(Uuid({ description: 'The last firing of the previous page.' })),
})
export type FiringQuery = Static<typeof FiringQuery>
