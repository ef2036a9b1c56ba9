import type { ConditionOp } from '../../../shared/schemas/reflexes.ts'
import { parseInstant } from '../../platform/http/validate.ts'
import type { Handler } from '../registry/handler.ts'

/** One way of comparing what is in an event with a value. */
export interface OpHandler extends Handler {
  name: ConditionOp
  /** What it can be compared with, in words; undefined when `value` is that. */
  wants(value: unknown): { type: string; msg: string } | undefined
  /** `found` is what is there; what is not there is not compared. */
  holds(found: unknown, value: unknown): boolean
}

const MISSING = { type: 'missing', msg: 'Field required' }

const anything = (value: unknown) => (value === undefined ? MISSING : undefined)

const ordered = (value: unknown) => {
  if (value === undefined) return MISSING
  if (typeof value === 'number' || (typeof value === 'string' && parseInstant(value)))
    return undefined
  return { type: 'value_error', msg: 'Input should be a number or a datetime' }
}

const list = (value: unknown) => {
  if (value === undefined) return MISSING
  return Array.isArray(value)
    ? undefined
    : { type: 'list_type', msg: 'Input should be a valid list' }
}

const truth = (value: unknown) =>
  value === undefined || typeof value === 'boolean'
    ? undefined
    : { type: 'bool_type', msg: 'Input should be a valid boolean' }

const isSame = (a: unknown, b: unknown): boolean => Bun.deepEquals(a, b, true)

/** Numbers among each other, and times; undefined for what has no order. */
const difference = (a: unknown, b: unknown): number | undefined => {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a !== 'string' || typeof b !== 'string') return undefined
  const [first, second] = [parseInstant(a), parseInstant(b)]
  return first && second ? first.getTime() - second.getTime() : undefined
}

const compared =
  (holds: (difference: number) => boolean): OpHandler['holds'] =>
  (found, value) => {
    const apart = difference(found, value)
    return apart !== undefined && holds(apart)
  }

const has = (found: unknown, value: unknown): boolean => {
  if (Array.isArray(found)) return found.some((each) => isSame(each, value))
  return (
    typeof found === 'string' &&
    typeof value === 'string' &&
    found.toLowerCase().includes(value.toLowerCase())
  )
}

const op = (
  name: ConditionOp,
  category: string,
  wants: OpHandler['wants'],
  holds: OpHandler['holds'],
): OpHandler => ({
  name,
  category,
  version: '1.0.0',
  ref: `automation/conditions/ops#${name}`,
  wants,
  holds,
})

export const ops: readonly OpHandler[] = [
  op('eq', 'equality', anything, isSame),
  op('ne', 'equality', anything, (found, value) => !isSame(found, value)),
  op(
    'gt',
    'order',
    ordered,
    compared((apart) => apart > 0),
  ),
  op(
    'gte',
    'order',
    ordered,
    compared((apart) => apart >= 0),
  ),
  op(
    'lt',
    'order',
    ordered,
    compared((apart) => apart < 0),
  ),
  op(
    'lte',
    'order',
    ordered,
    compared((apart) => apart <= 0),
  ),
  op('contains', 'membership', anything, has),
  op('in', 'membership', list, (found, value) => has(value, found)),
  op('exists', 'presence', truth, (_, value) => value !== false),
]

const byName = new Map(ops.map((each) => [each.name, each]))

export const opNamed = (name: ConditionOp): OpHandler => byName.get(name) as OpHandler
