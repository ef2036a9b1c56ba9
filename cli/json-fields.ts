import { usageError } from './errors.ts'
import { oneLine } from './output.ts'

type Fields = Record<string, unknown>

/**
 * Returns a function that reduces a value to some fields: those of the value, or of the entries of a list.
 * It throws a CliError that lists the fields.
 */
export const selectFields =
  (names: readonly string[]) =>
  (value: unknown): unknown => {
    const own = isObject(value) ? Object.keys(value) : []
    if (isObject(value) && names.every((name) => own.includes(name))) return pick(value, names)
    const entries = entriesOf(value)
    const known = entries?.length ? fieldsOf(entries) : own
    const unknown = names.find((name) => !known.includes(name))
    if (entries && (entries.length === 0 || unknown === undefined))
      return entries.map((entry) => pick(entry, names))
    throw usageError(
      `--json: there is no field ${oneLine(unknown ?? '')}.`,
      `Use some of: ${known.map(oneLine).join(', ')}`,
    )
  }

/** The entries of a list: an array of objects, or an object that begins with one. */
const entriesOf = (value: unknown): Fields[] | undefined => {
  const list = isObject(value) ? Object.values(value)[0] : value
  return Array.isArray(list) && list.every(isObject) ? list : undefined
}

const fieldsOf = (objects: readonly Fields[]): string[] => [
  ...new Set(objects.flatMap((each) => Object.keys(each))),
]

const pick = (value: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, value[name] ?? null]))

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
