import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/** The most validation errors that the model gets. */
const MAX_COMPLAINTS = 5

type Reading<T> = { ok: true; value: T } | { ok: false; complaint: string }

/**
 * Converts the output of a model to the schema: fills defaults, converts a quoted number to a number
 * and drops unknown keys.
 */
export const readAs = <S extends TSchema>(schema: S, output: unknown): Reading<Static<S>> => {
  const value = Value.Clean(
    schema,
    Value.Convert(schema, Value.Default(schema, structuredClone(output))),
  )
  if (Value.Check(schema, value)) return { ok: true, value }
  const complaints = [...Iterator.from(Value.Errors(schema, value)).take(MAX_COMPLAINTS)]
  return {
    ok: false,
    complaint: complaints.map(({ path, message }) => `${path || '/'}: ${message}`).join('; '),
  }
}

/** Reads the JSON in a completion, which may have code fences and text around it. */
export const parseModelJson = <S extends TSchema>(schema: S, text: string): Reading<Static<S>> => {
  const start = text.search(/[[{]/)
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  try {
    return readAs(schema, JSON.parse(text.slice(Math.max(start, 0), end + 1)))
  } catch {
    return { ok: false, complaint: 'it is not JSON' }
  }
}
