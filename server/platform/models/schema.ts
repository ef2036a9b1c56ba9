import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/** What a model is told of a value that does not fit. */
const MAX_COMPLAINTS = 5

export type Reading<T> = { ok: true; value: T } | { ok: false; complaint: string }

/**
 * Reads what a model wrote as a value of the schema: defaults filled, a number in quotes taken for a
 * number, unknown keys dropped.
 */
export const readAs = <S extends TSchema>(schema: S, written: unknown): Reading<Static<S>> => {
  const value = Value.Clean(
    schema,
    Value.Convert(schema, Value.Default(schema, structuredClone(written))),
  )
  if (Value.Check(schema, value)) return { ok: true, value }
  const complaints = [...Value.Errors(schema, value)].slice(0, MAX_COMPLAINTS)
  return {
    ok: false,
    complaint: complaints.map(({ path, message }) => `${path || '/'}: ${message}`).join('; '),
  }
}

/** The JSON in an answer: models put it between fences, and words around it. */
export const readJson = <S extends TSchema>(schema: S, text: string): Reading<Static<S>> => {
  const start = text.search(/[[{]/)
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  try {
    return readAs(schema, JSON.parse(text.slice(Math.max(start, 0), end + 1)))
  } catch {
    return { ok: false, complaint: 'it is not JSON' }
  }
}
