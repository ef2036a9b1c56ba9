import { usageError } from '../../errors.ts'
import { readStdin, readTextFile, trimLineEnds } from '../../input.ts'
import { oneLine } from '../../output.ts'
import type { Runtime } from '../../runtime.ts'

export type RequestFieldValues = Record<string, unknown>

/** Reads the fields of `-f` (texts) and `-F` (JSON, `@file` or a text). */
export const readFields = async (
  texts: string[],
  typed: string[],
  runtime: Runtime,
): Promise<RequestFieldValues> => {
  const fields: RequestFieldValues = {}
  for (const text of texts) {
    const [key, value] = splitField(text)
    setField(fields, key, value)
  }
  for (const text of typed) {
    const [key, value] = splitField(text)
    setField(fields, key, await typedValue(value, runtime))
  }
  return fields
}

const splitField = (text: string): [key: string[], value: string] => {
  const end = text.indexOf('=')
  const [, name, subkeys = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(text.slice(0, end)) ?? []
  if (end < 0 || name === undefined)
    throw usageError(
      `${oneLine(text)} is not a field.`,
      "Use key=value, 'key[]=value' for an element of an array, or 'key[name]=value' for a field of an object.",
    )
  const key = [
    name,
    ...subkeys
      .split('[')
      .slice(1)
      .map((each) => each.slice(0, -1)),
  ]
  // Assigning to this name would change the prototype of all objects.
  if (key.includes('__proto__'))
    throw usageError('A field cannot have the name __proto__.', 'Send the body with --input.')
  return [key, text.slice(end + 1)]
}

const typedValue = async (text: string, runtime: Runtime): Promise<unknown> => {
  if (text === '@-') return trimLineEnds(await readStdin(runtime))
  if (text.startsWith('@')) return trimLineEnds(await readTextFile(text.slice(1), runtime))
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** An empty subkey appends to an array. */
const setField = (
  target: RequestFieldValues,
  [name = '', ...rest]: string[],
  value: unknown,
): void => {
  const previous = target[name]
  const [subkey] = rest
  if (subkey === undefined) target[name] = value
  else if (subkey === '') target[name] = [...(Array.isArray(previous) ? previous : []), value]
  else {
    const inner = isFields(previous) ? previous : {}
    target[name] = inner
    setField(inner, rest, value)
  }
}

const isFields = (value: unknown): value is RequestFieldValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
