import type { Condition } from '../../../shared/contract/reflex-conditions.ts'
import type { FieldError } from '../../../shared/errors.ts'
import { budgets } from '../../platform/budgets.ts'
import { findOp } from './ops.ts'
import { findAt, isPath } from './path.ts'

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
