import {
  FormatRegistry,
  type SchemaOptions,
  type Static,
  type TArray,
  type TLiteral,
  type TObject,
  type TSchema,
  type TUnion,
  Type,
} from '@sinclair/typebox'

export { CHANNEL_HEADER, MCP_CHANNEL, MIN_TRUST_HEADER } from '../headers.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The UUID that is less than every other one (RFC 9562, section 5.9). */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

/** Whether a text is a UUID in its 36-character form, in lower or upper case. */
export const isUuid = (text: string): boolean => UUID.test(text)

const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/i

/**
 * Parses an ISO 8601 date or date-time. Without an offset it is UTC.
 * @returns undefined for any other text, for days and hours that do not exist, and for years outside 100
 * to 9999 in UTC: `Date` reads a year of two digits, as PostgreSQL writes it, as one of 1950 to 2049.
 */
export const parseInstant = (text: string): Date | undefined => {
  const match = INSTANT.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour = '00', minute = '00', , offset] = match
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > lastDay)
    return undefined
  if (Number(hour) > 23 || Number(minute) > 59) return undefined
  const zoned = text.length === 10 ? `${text}T00:00:00Z` : offset ? text : `${text}Z`
  const instant = new Date(zoned.replace(' ', 'T').toUpperCase())
  const inUtc = instant.getUTCFullYear()
  return inUtc >= 100 && inUtc <= 9999 ? instant : undefined
}

// TypeBox rejects every value of a format that is not registered.
FormatRegistry.Set('uuid', isUuid)
FormatRegistry.Set('date-time', (text) => parseInstant(text) !== undefined)

/** The length of a text as JSON Schema counts it: in Unicode code points, not UTF-16 code units. */
export const characterCount = (text: string): number => {
  let length = 0
  for (const _ of text) length++
  return length
}

/** The maximum length of a memory, a question or a message, in characters. */
export const MAX_TEXT_LENGTH = 32_000

/** Tools in lockdown see the memories of the user and of assistants: none of a file or from outside. */
export const LOCKDOWN_TRUST = 'assistant'

export const Uuid = (options: SchemaOptions = {}) =>
  Type.String({ format: 'uuid', examples: ['01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'], ...options })

/** An instant. Responses use ISO 8601 in UTC with milliseconds; requests may use any offset. */
export const Timestamp = (options: SchemaOptions = {}) =>
  Type.String({ format: 'date-time', examples: ['2026-01-31T09:30:00.000Z'], ...options })

export const Nullable = <T extends TSchema>(schema: T, options: SchemaOptions = {}) =>
  Type.Union([schema, Type.Null()], options)

/** One of a closed list of strings. */
export const OneOf = <const T extends readonly string[]>(values: T, options: SchemaOptions = {}) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    options,
  ) as unknown as TUnion<{ -readonly [K in keyof T]: TLiteral<T[K] & string> }>

/** Any JSON object. Keys may contain line breaks, which TypeBox's default key pattern excludes. */
export const AnyObject = (options: SchemaOptions = {}) =>
  Type.Record(Type.String({ pattern: '^[^]*$' }), Type.Unknown(), options)

/** A field that clients may omit; the server then uses the default. */
export type Defaulted<T extends TSchema> = T & { default: Static<T> }

export const withDefault = <T extends TSchema>(schema: T, value: Static<T>) =>
  ({ ...schema, default: value }) as Defaulted<T>

type DefaultedKeys<T extends TObject> = {
  [K in keyof T['properties']]: T['properties'][K] extends { default: unknown } ? K : never
}[keyof T['properties']]

type InputOf<T> = T extends TObject
  ? Input<T>
  : T extends TArray<infer Item>
    ? InputOf<Item>[]
    : T extends TSchema
      ? Static<T>
      : never

type RequiredKeys<T extends TObject> = Exclude<keyof Static<T>, DefaultedKeys<T>>

/** The type that a client sends: fields with a default are optional. */
export type Input<T extends TObject> = {
  [K in RequiredKeys<T> as undefined extends Static<T>[K] ? never : K]: InputOf<T['properties'][K]>
} & {
  [K in RequiredKeys<T> as undefined extends Static<T>[K] ? K : never]?: InputOf<T['properties'][K]>
} & {
  [K in DefaultedKeys<T>]?: InputOf<T['properties'][K]>
}

export const MessageResponse = Type.Object({ message: Type.String() }, { $id: 'MessageResponse' })

/** The page size of a list: 1-100. */
export const PageSize = (value: number) =>
  withDefault(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Maximum number of results.' }),
    value,
  )

/** Where users write messages. */
export const MESSAGE_SOURCES = ['chat', 'talk', 'dm'] as const
