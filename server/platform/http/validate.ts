import { FormatRegistry, type Static, type TObject, type TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { Value } from '@sinclair/typebox/value'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import type { FieldError } from '../../../shared/errors.ts'
import { isUuid } from '../../../shared/schemas/common.ts'
import { ApiError } from './error.ts'
import { nullableOf, variantNamed, variantToFit } from './variants.ts'

/** More failing fields than this say nothing new. */
const MAX_ERRORS = 100
/** Deeper JSON than this is no document, and would exhaust a parser behind us. */
const MAX_DEPTH = 64

FormatRegistry.Set('uuid', isUuid)
FormatRegistry.Set('date-time', (value) => parseInstant(value) !== undefined)

const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/i

/**
 * Reads an ISO 8601 date or date and time; without an offset it is UTC.
 * @returns undefined for anything else, for days and hours that do not exist, and for what is not in
 * the years 1 to 9999 of UTC: nobody could write it down so.
 */
export const parseInstant = (text: string): Date | undefined => {
  const match = INSTANT.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour = '00', minute = '00', , offset] = match
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > lastDay)
    return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(year) < 1) return undefined
  const zoned = text.length === 10 ? `${text}T00:00:00Z` : offset ? text : `${text}Z`
  const instant = new Date(zoned.replace(' ', 'T').toUpperCase())
  const inUtc = instant.getUTCFullYear()
  return inUtc >= 1 && inUtc <= 9999 ? instant : undefined
}

const checks = new WeakMap<TSchema, TypeCheck<TSchema>>()

const compiled = (schema: TSchema): TypeCheck<TSchema> => {
  let check = checks.get(schema)
  if (!check) {
    check = TypeCompiler.Compile(schema)
    checks.set(schema, check)
  }
  return check
}

export interface Parts<E extends Endpoint> {
  params: Static<E['params']>
  query: Static<E['query']>
  body: E['body'] extends TObject ? Static<E['body']> : undefined
}

/**
 * Reads the parts of a request as an endpoint declares them: unknown keys dropped, defaults filled,
 * numbers and booleans of the path and query parsed.
 * @throws ApiError 422 listing every failing field of all parts at once (contract 7.3), or the 400
 * that a field is marked with.
 */
export const validate = <E extends Endpoint>(
  row: E,
  params: Record<string, unknown> | undefined,
  query: URLSearchParams | undefined,
  body: unknown,
): Parts<E> => {
  const errors: FieldError[] = []
  const parts = {
    params: read(row.params, params ?? {}, 'path', errors),
    query: read(row.query, fromQuery(row.query, query), 'query', errors),
    body: row.body && read(row.body, body, 'body', errors),
  }
  if (errors.length) throw new ApiError(422, errors)
  return parts as Parts<E>
}

/** Reads one value that did not come as a part of a request, as a part of one is read. */
export const readValue = <T extends TObject>(
  schema: T,
  value: unknown,
): { value: Static<T> } | { errors: FieldError[] } => {
  const errors: FieldError[] = []
  const known = read(schema, value, 'body', errors)
  return errors.length ? { errors } : { value: known as Static<T> }
}

const read = (schema: TObject, value: unknown, part: string, errors: FieldError[]): unknown => {
  const unfit = findUnfit(value)
  if (unfit) {
    errors.push({ ...unfit, loc: [part, ...unfit.loc] })
    return undefined
  }
  const known = completed(schema, value)
  const check = compiled(schema)
  // Checked before it is cleaned: cleaning makes an object of a list where any keys may be.
  const found = check.Check(known) ? [] : fieldErrors(check, known, part)
  if (found.length === 0) return Value.Clean(schema, known)
  errors.push(...found)
  return undefined
}

const fieldErrors = (check: TypeCheck<TSchema>, value: unknown, part: string): FieldError[] => {
  const byPath = new Map<string, FieldError>()
  for (const error of errorsOf(check.Errors(value))) {
    // Where the contract answers 400 for a field, it does so whatever else is wrong.
    if (error.schema.badRequest) throw new ApiError(400, error.schema.badRequest)
    if (byPath.size >= MAX_ERRORS) break
    if (byPath.has(error.path) || isShortEnough(error)) continue
    const segments = error.path.split('/').slice(1).map(unescapePointer)
    byPath.set(error.path, { loc: [part, ...segments], ...explain(error, part !== 'body') })
  }
  return [...byPath.values()]
}

/** JSON Schema counts characters, and TypeBox the two halves that some of them are in UTF-16. */
const isShortEnough = ({ type, schema, value }: ValueError): boolean => {
  if (type !== ValueErrorType.StringMaxLength) return false
  const text = value as string
  const most = Number(schema.maxLength)
  return text.length <= 2 * most && [...text].length <= most
}

/** Of several forms, what is wrong with the one that a value is to have; a list of literals is one. */
function* errorsOf(errors: Iterable<ValueError>): Generator<ValueError> {
  for (const error of errors) {
    const isUnion = error.type === ValueErrorType.Union
    const variant = isUnion ? variantToFit(error.schema, error.value) : undefined
    if (!variant) yield error
    else
      for (const inner of errorsOf(compiled(variant).Errors(error.value)))
        yield { ...inner, path: error.path + inner.path }
  }
}

const unescapePointer = (segment: string): string | number =>
  /^\d+$/.test(segment) ? Number(segment) : segment.replaceAll('~1', '/').replaceAll('~0', '~')

/** Puts a TypeBox error into pydantic's words. The value itself is never repeated. */
const explain = (error: ValueError, isText: boolean): Pick<FieldError, 'msg' | 'type'> => {
  const { schema } = error
  switch (error.type) {
    case ValueErrorType.ObjectRequiredProperty:
      return { type: 'missing', msg: 'Field required' }
    case ValueErrorType.String:
      return { type: 'string_type', msg: 'Input should be a valid string' }
    case ValueErrorType.StringMinLength:
      return {
        type: 'string_too_short',
        msg: `String should have at least ${count(schema.minLength, 'character')}`,
      }
    case ValueErrorType.StringMaxLength:
      return {
        type: 'string_too_long',
        msg: `String should have at most ${count(schema.maxLength, 'character')}`,
      }
    case ValueErrorType.StringPattern:
      return {
        type: 'string_pattern_mismatch',
        msg: `String should match pattern '${schema.pattern}'`,
      }
    case ValueErrorType.StringFormat:
      return schema.format === 'uuid'
        ? { type: 'uuid_parsing', msg: 'Input should be a valid UUID' }
        : { type: 'datetime_parsing', msg: 'Input should be a valid datetime' }
    case ValueErrorType.Integer:
      return isText
        ? {
            type: 'int_parsing',
            msg: 'Input should be a valid integer, unable to parse string as an integer',
          }
        : { type: 'int_type', msg: 'Input should be a valid integer' }
    case ValueErrorType.Number:
      return isText
        ? {
            type: 'float_parsing',
            msg: 'Input should be a valid number, unable to parse string as a number',
          }
        : { type: 'float_type', msg: 'Input should be a valid number' }
    case ValueErrorType.Boolean:
      return isText
        ? {
            type: 'bool_parsing',
            msg: 'Input should be a valid boolean, unable to interpret input',
          }
        : { type: 'bool_type', msg: 'Input should be a valid boolean' }
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return {
        type: 'greater_than_equal',
        msg: `Input should be greater than or equal to ${schema.minimum}`,
      }
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return {
        type: 'less_than_equal',
        msg: `Input should be less than or equal to ${schema.maximum}`,
      }
    case ValueErrorType.Array:
      return { type: 'list_type', msg: 'Input should be a valid list' }
    case ValueErrorType.ArrayMinItems:
      return {
        type: 'too_short',
        msg: `List should have at least ${count(schema.minItems, 'item')}`,
      }
    case ValueErrorType.ArrayMaxItems:
      return { type: 'too_long', msg: `List should have at most ${count(schema.maxItems, 'item')}` }
    case ValueErrorType.ObjectMinProperties:
      return {
        type: 'too_short',
        msg: `Dictionary should have at least ${count(schema.minProperties, 'item')}`,
      }
    case ValueErrorType.ObjectMaxProperties:
      return {
        type: 'too_long',
        msg: `Dictionary should have at most ${count(schema.maxProperties, 'item')}`,
      }
    case ValueErrorType.Object:
      return { type: 'dict_type', msg: 'Input should be a valid dictionary' }
    case ValueErrorType.Literal:
      return literalError([schema.const])
    case ValueErrorType.Union:
      return unionError(schema.anyOf as TSchema[])
    default:
      return { type: 'value_error', msg: 'Value is not valid' }
  }
}

/** Tells which values a field takes. */
export const literalError = (values: unknown[]) => ({
  type: 'literal_error',
  msg: `Input should be ${either(values.map((value) => `'${value}'`))}`,
})

/** "a, b or c". */
const either = (names: string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names)

const unionError = (variants: TSchema[]) => {
  if (variants.every(({ const: literal }) => literal !== undefined))
    return literalError(variants.map((variant) => variant.const))
  const types = either(variants.map(({ type }) => type))
  return { type: 'value_error', msg: `Input should be a valid ${types}` }
}

const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`

/**
 * Trims the fields marked `trim`, so that they are measured and kept without white space around
 * them, and fills in what was left out. (TypeBox's own defaults melt what is given into a default
 * object, and so would take a list for one.)
 */
const completed = (schema: TSchema, value: unknown): unknown => {
  if (typeof value === 'string') return schema.trim ? value.trim() : value
  if (Array.isArray(value)) {
    const { items } = nullableOf(schema) ?? schema
    return items ? value.map((item) => completed(items, item)) : value
  }
  if (!value || typeof value !== 'object') return value
  if (!schema.properties) {
    const variant = variantNamed(schema, value)
    return variant ? completed(variant, value) : value
  }
  const result: Record<string, unknown> = { ...value }
  for (const [name, field] of Object.entries<TSchema>(schema.properties)) {
    const given = result[name]
    if (given === undefined && 'default' in field) result[name] = structuredClone(field.default)
    else if (given !== undefined) result[name] = completed(field, given)
  }
  return result
}

const fromQuery = (schema: TObject, query: URLSearchParams | undefined) => {
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(schema.properties)) {
    const given = query?.getAll(name) ?? []
    if (given.length === 0) continue
    values[name] = field.type === 'array' ? given : fromText(field, given.at(-1) ?? '')
  }
  return values
}

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** What cannot be parsed stays text, and so fails the schema as text. */
const fromText = (field: TSchema, text: string): unknown => {
  if (field.type === 'boolean') return BOOLEANS.get(text.toLowerCase()) ?? text
  if (field.type === 'integer') return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : text
  if (field.type === 'number')
    return text.trim() && Number.isFinite(Number(text)) ? Number(text) : text
  return text
}

/** NUL and half characters cannot be stored as text; a browser or a database would change them silently. */
const UNFIT = /[\0\p{Surrogate}]/u

const findUnfit = (value: unknown): FieldError | undefined => {
  const stack: { value: unknown; loc: (string | number)[] }[] = [{ value, loc: [] }]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { value, loc } = next
    if (loc.length > MAX_DEPTH)
      return { loc: loc.slice(0, 1), type: 'json_invalid', msg: 'JSON is nested too deeply' }
    if (typeof value === 'string' && UNFIT.test(value))
      return { loc, type: 'string_unicode', msg: 'String should be valid text without NUL' }
    if (value && typeof value === 'object')
      for (const [key, inner] of Object.entries(value)) {
        if (UNFIT.test(key))
          return { loc, type: 'string_unicode', msg: 'Key should be valid text without NUL' }
        stack.push({ value: inner, loc: [...loc, Array.isArray(value) ? Number(key) : key] })
      }
  }
  return undefined
}
