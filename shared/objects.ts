export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is an object with fields: no array, and not null. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields of a value: none if it is not an object. */
export const fieldsOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** The keys of an object whose type lists all of them, such as a constant. */
export const keysOf = <K extends string>(object: Readonly<Record<K, unknown>>): K[] =>
  Object.keys(object) as K[]

/** An object with a value for each key. */
export const recordOf = <K extends string, T>(
  keys: readonly K[],
  create: (key: K) => T,
): Record<K, T> => Object.fromEntries(keys.map((key) => [key, create(key)])) as Record<K, T>

/** The fields that are not null. */
export const withoutNulls = <T extends object>(
  fields: T,
): { [K in keyof T]: Exclude<T[K], null> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [K in keyof T]: Exclude<T[K], null>
  }
