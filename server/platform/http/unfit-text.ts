import type { FieldError } from '../../../shared/errors.ts'
import { budgets } from '../budgets.ts'

/** PostgreSQL cannot store NUL and lone surrogates. Browsers replace them silently. */
const UNFIT = /[\0\p{Surrogate}]/u

interface Place {
  value: unknown
  depth: number
  key: string | number
  parent: Place | undefined
}

/** Builds the path only for the unfit value, because a body may have half a million values. */
const locOf = (place: Place): (string | number)[] =>
  place.parent ? [...locOf(place.parent), place.key] : []

/** Returns the error of the first text that cannot be stored, or of JSON that is nested too deeply. */
export const findUnfit = (body: unknown): FieldError | undefined => {
  const stack: Place[] = [{ value: body, depth: 0, key: '', parent: undefined }]
  for (let place = stack.pop(); place; place = stack.pop()) {
    const { value, depth } = place
    // Deeper JSON could exhaust the stack of a recursive parser.
    if (depth > budgets.requestJson.depth)
      return {
        loc: locOf(place).slice(0, 1),
        type: 'json_invalid',
        msg: 'JSON is nested too deeply',
      }
    if (typeof value === 'string' && UNFIT.test(value))
      return {
        loc: locOf(place),
        type: 'string_unicode',
        msg: 'String should be valid text without NUL',
      }
    if (!value || typeof value !== 'object') continue
    if (Array.isArray(value)) {
      for (let key = 0; key < value.length; key++)
        if (canBeUnfit(value[key]))
          stack.push({ value: value[key], depth: depth + 1, key, parent: place })
      continue
    }
    for (const key of Object.keys(value)) {
      const inner = (value as Record<string, unknown>)[key]
      if (UNFIT.test(key))
        return {
          loc: locOf(place),
          type: 'string_unicode',
          msg: 'Key should be valid text without NUL',
        }
      if (canBeUnfit(inner)) stack.push({ value: inner, depth: depth + 1, key, parent: place })
    }
  }
  return undefined
}

const canBeUnfit = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'object' && value !== null)
