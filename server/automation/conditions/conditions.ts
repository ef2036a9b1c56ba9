import type { FieldError } from '../../../shared/errors.ts'
import type { Condition } from '../../../shared/schemas/reflexes.ts'
import { opNamed } from './ops.ts'
import { findAt, isPath } from './path.ts'

/** Whether an event is as a condition wants it; where there is nothing, only `exists: false` is. */
export const isMet = (event: unknown, { op, path, value }: Condition): boolean => {
  const found = findAt(event, path)
  if (!found) return op === 'exists' && value === false
  return opNamed(op).holds(found.value, value)
}

/** All conditions of a person are read for each event. */
const MAX_VALUE_CHARS = 4_000

const tooLong = (value: unknown) =>
  value !== undefined && JSON.stringify(value).length > MAX_VALUE_CHARS
    ? { type: 'too_long', msg: `JSON should have at most ${MAX_VALUE_CHARS} characters` }
    : undefined

const noPath = (path: string) =>
  isPath(path)
    ? undefined
    : { type: 'value_error', msg: 'Input should be names joined by dots, or a JSON pointer' }

/** What is wrong with the paths and values of conditions, beyond their form. */
export const conditionProblems = (conditions: readonly Condition[]): FieldError[] =>
  conditions.flatMap(({ op, path, value }, index) =>
    Object.entries({
      path: noPath(path),
      value: opNamed(op).wants(value) ?? tooLong(value),
    }).flatMap(([field, problem]) =>
      problem ? [{ loc: ['body', 'conditions', index, field], ...problem }] : [],
    ),
  )
