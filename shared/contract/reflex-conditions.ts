import { type Static, Type } from '@sinclair/typebox'
import { OneOf } from './common.ts'

export const CONDITION_OPS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'in',
  'exists',
] as const
export type ConditionOp = (typeof CONDITION_OPS)[number]

export const Condition = Type.Object({
  op: OneOf(CONDITION_OPS),
  path: Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      'The location in the event: keys and indexes joined by dots, or a JSON pointer (RFC 6901). If nothing is there, the condition is not met.',
    examples: ['value.temperature', '/value/temperature'],
  }),
  value: Type.Optional(
    Type.Unknown({
      description:
        'The value to compare with: a number, a time or a string; a list for `in`; a boolean for `exists`.',
      examples: [30],
    }),
  ),
})
export type Condition = Static<typeof Condition>
