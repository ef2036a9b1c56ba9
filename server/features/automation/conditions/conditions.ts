import { parseInstant } from '../../../../shared/contract/common.ts'
import type { Condition, ConditionOp } from '../../../../shared/contract/reflex-conditions.ts'
import type { FieldError } from '../../../../shared/errors.ts'
import { budgets } from '../../../platform/budgets.ts'
import type { RegistryHandler } from '../registry/handler.ts'
import { findAt, isPath } from './template.ts'

/** Whether an event meets a condition. A path without a value meets only `exists: false`. */
export const isMet = (event: unknown, { op, path, value }: Condition): boolean => {
  const found = findAt(event, path)
  if (!found) return op === 'exists' && value === false
  return findOp(op).test(found.value, value)
}

const MAX_VALUE_CHARS = budgets.conditionValue.characters

const tooLong = (value: unknown) =>
  value !== undefined && JSON.stringify(value).length > MAX_VALUE_CHARS
    ? { type: 'too_long', msg: `JSON should have at most ${MAX_VALUE_CHARS} characters` }
    : undefined

const pathProblem = (path: string) =>
  isPath(path)
    ? undefined
    : { type: 'value_error', msg: 'Input should be names joined by dots, or a JSON pointer' }

/** Problems of paths and values that the schema does not find. */
export const conditionProblems = (conditions: readonly Condition[]): FieldError[] =>
  conditions.flatMap(({ op, path, value }, index) =>
    Object.entries({
      path: pathProblem(path),
      value: findOp(op).problemOf(value) ?? tooLong(value),
    }).flatMap(([field, problem]) =>
      problem ? [{ loc: ['body', 'conditions', index, field], ...problem }] : [],
    ),
  )

/** Compares a value of an event with the value of a condition. */
interface OpHandler extends RegistryHandler {
  name: ConditionOp
  /** @returns why the operator rejects the condition's value; undefined for a valid one. */
  problemOf(value: unknown): { type: string; msg: string } | undefined
  /** `found` is the value in the event. It is not called without one. */
  test(found: unknown, value: unknown): boolean
}

const MISSING = { type: 'missing', msg: 'Field required' }

const anyValue = (value: unknown) => (value === undefined ? MISSING : undefined)

const orderedValue = (value: unknown) => {
  if (value === undefined) return MISSING
  if (typeof value === 'number' || (typeof value === 'string' && parseInstant(value)))
    return undefined
  return { type: 'value_error', msg: 'Input should be a number or a datetime' }
}

const listValue = (value: unknown) => {
  if (value === undefined) return MISSING
  return Array.isArray(value)
    ? undefined
    : { type: 'list_type', msg: 'Input should be a valid list' }
}

const booleanValue = (value: unknown) =>
  value === undefined || typeof value === 'boolean'
    ? undefined
    : { type: 'bool_type', msg: 'Input should be a valid boolean' }

const isSame = (a: unknown, b: unknown): boolean => Bun.deepEquals(a, b, true)

/** @returns undefined unless both are numbers or both are times. */
const difference = (a: unknown, b: unknown): number | undefined => {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a !== 'string' || typeof b !== 'string') return undefined
  const [first, second] = [parseInstant(a), parseInstant(b)]
  return first && second ? first.getTime() - second.getTime() : undefined
}

const compared =
  (accepts: (difference: number) => boolean): OpHandler['test'] =>
  (found, value) => {
    const diff = difference(found, value)
    return diff !== undefined && accepts(diff)
  }

const contains = (found: unknown, value: unknown): boolean => {
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
  problemOf: OpHandler['problemOf'],
  test: OpHandler['test'],
): OpHandler => ({
  name,
  category,
  version: '1.0.0',
  ref: `automation/conditions/ops#${name}`,
  problemOf,
  test,
})

export const ops: readonly OpHandler[] = [
  op('eq', 'equality', anyValue, isSame),
  op('ne', 'equality', anyValue, (found, value) => !isSame(found, value)),
  op(
    'gt',
    'order',
    orderedValue,
    compared((diff) => diff > 0),
  ),
  op(
    'gte',
    'order',
    orderedValue,
    compared((diff) => diff >= 0),
  ),
  op(
    'lt',
    'order',
    orderedValue,
    compared((diff) => diff < 0),
  ),
  op(
    'lte',
    'order',
    orderedValue,
    compared((diff) => diff <= 0),
  ),
  op('contains', 'membership', anyValue, contains),
  op('in', 'membership', listValue, (found, value) => contains(value, found)),
  op('exists', 'presence', booleanValue, (_, value) => value !== false),
]

const byName = new Map(ops.map((each) => [each.name, each]))

const findOp = (name: ConditionOp): OpHandler => byName.get(name) as OpHandler
