import type { TSchema } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { characterCount } from '../../../shared/contract/common.ts'

/**
 * Returns an error for each string with fewer characters than its schema's `minLength`. JSON Schema counts
 * characters, but TypeBox counts UTF-16 code units. An emoji has two, so TypeBox misses these errors.
 */
export const tooShort = (schema: TSchema, value: unknown, path = ''): ValueError[] => {
  if (!hasMinimum(schema)) return []
  if (typeof value === 'string')
    return characterCount(value) < schema.minLength ? [tooShortError()] : []
  if (Array.isArray(value)) {
    const { items } = schema
    return items ? value.flatMap((item, index) => tooShort(items, item, `${path}/${index}`)) : []
  }
  if (!value || typeof value !== 'object') return []
  return Object.entries<TSchema>(schema.properties ?? {}).flatMap(([name, field]) =>
    tooShort(field, (value as Record<string, unknown>)[name], `${path}/${name}`),
  )

  function tooShortError(): ValueError {
    const type = ValueErrorType.StringMinLength
    return { type, schema, path, value, message: '', errors: [] }
  }
}

const cache = new WeakMap<TSchema, boolean>()

/** Whether a schema has a `minLength` of two or more. For one, both ways of counting agree. */
const hasMinimum = (schema: TSchema): boolean => {
  let result = cache.get(schema)
  if (result === undefined) {
    const inner = [...Object.values<TSchema>(schema.properties ?? {}), schema.items ?? []].flat()
    result = schema.minLength > 1 || inner.some(hasMinimum)
    cache.set(schema, result)
  }
  return result
}
