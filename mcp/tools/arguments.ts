import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { ToolCallError } from '../host.ts'

const MIN_CHARS = 500
const MAX_CHARS = 100_000

/** Arguments that no endpoint has, for answers that do not fit. */
export const paging = {
  cursor: Type.Optional(Type.String({ minLength: 1, description: 'From the previous answer.' })),
}

/** Of the tools that call `takeMaxChars`. */
export const maxCharsField = { max_chars: Type.Optional(Type.Integer()) }

/**
 * Takes `max_chars`, the longest answer in characters, from the arguments. It is not published: an answer
 * that does not fit names it.
 * @throws ToolCallError
 */
export const takeMaxChars = <T extends object>(
  input: T,
): { maxChars: number | undefined; rest: T } => {
  const { max_chars: value, ...rest } = input as T & { max_chars?: unknown }
  if (value === undefined) return { maxChars: undefined, rest: rest as unknown as T }
  if (Number.isInteger(value) && Number(value) >= MIN_CHARS && Number(value) <= MAX_CHARS)
    return { maxChars: Number(value), rest: rest as unknown as T }
  throw invalidArgument('max_chars', `must be an integer from ${MIN_CHARS} to ${MAX_CHARS}`)
}

/**
 * The arguments as the schema means them, because models and hosts write them loosely. Null is left out,
 * and so are "null" and, where it is invalid, "" for an optional field. A text is read as the number, the
 * boolean, the list, the object or the enum value that it spells. A value with another meaning and the text
 * of a required field stay as they are: the server refuses what is wrong, and names the field.
 */
export const readArguments = <T extends object>(schema: TObject, input: T): T =>
  Object.fromEntries(
    Object.entries(input)
      .filter(([name, value]) => value !== null && !isLeftOut(schema, name, value))
      .map(([name, value]) => {
        const field = fieldOf(schema, name)
        return [name, field ? readValue(field, value) : value]
      }),
  ) as T

const fieldOf = ({ properties }: TObject, name: string): TSchema | undefined =>
  Object.hasOwn(properties, name) ? properties[name] : undefined

const isLeftOut = (schema: TObject, name: string, value: unknown): boolean => {
  const field = fieldOf(schema, name)
  if (!field || (schema.required?.includes(name) && !('default' in field))) return false
  return value === 'null' || (value === '' && !Value.Check(field, ''))
}

const readValue = (schema: TSchema, value: unknown): unknown => {
  const variants: TSchema[] = (schema.anyOf ?? []).filter(({ type }: TSchema) => type !== 'null')
  const [only] = variants
  if (only && variants.length === 1) return readValue(only, value)
  if (schema.type === 'array') return readList(schema.items, value)
  if (schema.type === 'object') return readObject(schema, value)
  if (typeof value !== 'string') return value
  if (schema.type === 'integer' || schema.type === 'number') return readNumber(value)
  if (schema.type === 'boolean') return readOneOf([true, false], value)
  return readOneOf(
    variants.map((variant) => variant.const),
    value,
  )
}

/** The option that a text spells in any case; the text if none or several match. */
const readOneOf = (options: unknown[], text: string): unknown => {
  const [match = text, ...others] = options.filter(
    (option) => String(option).toLowerCase() === text.toLowerCase(),
  )
  return others.length === 0 ? match : text
}

const readNumber = (text: string): unknown => {
  const number = parseJson(text)
  return Number.isFinite(number) ? number : text
}

/** The beginning of JSON text, which is no element of a list of texts. */
const JSON_START = /^\s*(?:\["|\{)/

const readList = (items: TSchema, value: unknown): unknown => {
  const parsed = typeof value === 'string' ? parseJson(value) : value
  if (Array.isArray(parsed)) return parsed.map((each) => readValue(items, each))
  const isElement = typeof value === 'string' && items.type === 'string' && !JSON_START.test(value)
  return isElement ? [value] : value
}

const readObject = (schema: TSchema, value: unknown): unknown => {
  const parsed = typeof value === 'string' ? parseJson(value) : value
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return value
  return schema.properties ? readArguments(schema as TObject, parsed) : parsed
}

/** The limits of a message do not apply within a text: a longer one could take long to parse. */
const MAX_JSON_CHARS = 200_000

/** @returns undefined for a text that is not JSON, or too long. */
const parseJson = (text: string): unknown => {
  if (text.length > MAX_JSON_CHARS) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const invalidArgument = (name: string, problem: string): ToolCallError =>
  new ToolCallError(`Invalid arguments: ${name}: ${problem}. Correct them and call again.`)
