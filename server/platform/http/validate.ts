import { OptionalKind, type Static, type TObject, type TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { characterCount } from '../../../shared/contract/common.ts'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import type { FieldError } from '../../../shared/errors.ts'
import { normalizeLabel } from '../../../shared/labels.ts'
import { runSteps, runStepsYielding, type Stepwise } from '../event-loop.ts'
import { httpError } from './error.ts'
import { explain } from './field-errors.ts'
import { findUnstorable } from './json.ts'
import { nullableOf, variantNamed, variantToFit } from './variants.ts'

/** Most failing fields in one response. */
const MAX_ERRORS = 100

const checks = new WeakMap<TSchema, TypeCheck<TSchema>>()

const compiled = (schema: TSchema): TypeCheck<TSchema> => {
  let check = checks.get(schema)
  if (!check) {
    check = TypeCompiler.Compile(schema)
    checks.set(schema, check)
  }
  return check
}

export interface RequestParts<E extends Endpoint> {
  params: Static<E['params']>
  query: Static<E['query']>
  body: E['body'] extends TObject ? Static<E['body']> : undefined
}

/**
 * Validates the parts of a request: drops unknown keys, adds defaults and parses numbers and booleans of
 * the path and query.
 * @throws ApiError 422 with the failing fields of all parts (contract 7.3), or 400 for a field with
 * `badRequest`.
 */
export const validate = async <E extends Endpoint>(
  row: E,
  params: Record<string, unknown> | undefined,
  query: URLSearchParams | undefined,
  body: unknown,
): Promise<RequestParts<E>> => {
  const errors: FieldError[] = []
  const parts = {
    params: hasFields(row.params) ? validatePart(row.params, params ?? {}, 'path', errors) : {},
    query: hasFields(row.query)
      ? validatePart(row.query, fromQuery(row.query, query), 'query', errors)
      : {},
    body: row.body && (await runStepsYielding(stepsOf(row.body, body, 'body', errors))),
  }
  if (row.refusesUnknown) errors.push(...unknownKeys(row, query, body))
  if (errors.length) throw httpError('invalid_request', errors)
  return parts as RequestParts<E>
}

/**
 * @returns an error for each key of the query and the body that the row does not declare, and for a key of the query
 * that is repeated, of which one value would count.
 */
const unknownKeys = (
  { query: declared, body: schema }: Endpoint,
  query: URLSearchParams | undefined,
  body: unknown,
): FieldError[] => {
  const names = [...(query?.keys() ?? [])]
  const isRepeated = (name: string, index: number) =>
    declared.properties[name]?.type !== 'array' && names.indexOf(name) < index
  const refused = [
    ...names
      .filter((name, index) => !hasField(declared, name) || isRepeated(name, index))
      .map((name) => ['query', name]),
    ...(schema && body && typeof body === 'object'
      ? Object.keys(body).filter((name) => !hasField(schema, name))
      : []
    ).map((name) => ['body', name]),
  ]
  return refused.slice(0, MAX_ERRORS).map((loc) => ({
    loc,
    type: 'extra_forbidden',
    msg: 'Extra inputs are not permitted where something is deleted',
  }))
}

const hasField = ({ properties }: TObject, name: string): boolean => Object.hasOwn(properties, name)

const hasFields = ({ properties }: TObject): boolean => Object.keys(properties).length > 0

/** Validates a value from another source in the same way as a body. */
export const readValue = <T extends TObject>(
  schema: T,
  value: unknown,
): { value: Static<T> } | { errors: FieldError[] } => {
  const errors: FieldError[] = []
  const validated = validatePart(schema, value, 'body', errors)
  return errors.length ? { errors } : { value: validated as Static<T> }
}

const validatePart = (
  schema: TObject,
  value: unknown,
  part: string,
  errors: FieldError[],
): unknown => runSteps(stepsOf(schema, value, part, errors))

function* stepsOf(
  schema: TObject,
  value: unknown,
  part: string,
  errors: FieldError[],
): Stepwise<unknown> {
  const unstorable = findUnstorable(value)
  if (unstorable) {
    errors.push({ ...unstorable, loc: [part, ...unstorable.loc] })
    return undefined
  }
  yield
  const completed = withDefaults(schema, value)
  yield
  const check = compiled(schema)
  const short = tooShort(schema, completed)
  const found =
    check.Check(completed) && !short.length ? [] : fieldErrors(check, completed, part, short)
  yield
  if (found.length === 0) return completed
  errors.push(...found)
  return undefined
}

const fieldErrors = (
  check: TypeCheck<TSchema>,
  value: unknown,
  part: string,
  short: ValueError[],
): FieldError[] => {
  const byPath = new Map<string, FieldError>()
  for (const error of [...errorsOf(check.Errors(value)), ...short]) {
    // The 400 of a field takes precedence over all other errors (contract).
    if (error.schema.badRequest) throw httpError('bad_request_value', error.schema.badRequest)
    if (byPath.size >= MAX_ERRORS) break
    if (byPath.has(error.path) || isShortEnough(error)) continue
    const segments = error.path.split('/').slice(1).map(unescapePointer)
    byPath.set(error.path, { loc: [part, ...segments], ...explain(error, part !== 'body') })
  }
  return [...byPath.values()]
}

/** Whether a string is within `maxLength` in characters. TypeBox counts UTF-16 code units. */
const isShortEnough = ({ type, schema, value }: ValueError): boolean => {
  if (type !== ValueErrorType.StringMaxLength) return false
  const text = value as string
  const max = Number(schema.maxLength)
  return text.length <= 2 * max && characterCount(text) <= max
}

/** Replaces the error of a union by the errors of the variant that the value should match. */
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

/**
 * Trims the fields marked `trim`, normalizes those marked `label`, drops unknown keys and adds the defaults of fields that are not `Type.Optional`. TypeBox's `Value.Default` is not
 * used, because it merges the value into a default object and so accepts a list as an object.
 */
const withDefaults = (schema: TSchema, value: unknown): unknown => {
  if (typeof value === 'string') {
    const { trim, label } = { ...nullableOf(schema), ...schema }
    if (label) return normalizeLabel(value)
    return trim ? value.trim() : value
  }
  if (Array.isArray(value)) {
    const { items, maxItems = value.length } = nullableOf(schema) ?? schema
    // One excess item is enough to reject a list.
    return items ? value.slice(0, maxItems + 1).map((item) => withDefaults(items, item)) : value
  }
  if (!value || typeof value !== 'object') return value
  if (!schema.properties) {
    const variant = variantNamed(schema, value) ?? nullableOf(schema)
    return variant ? withDefaults(variant, value) : value
  }
  const fields = value as Record<string, unknown>
  const result: Record<string, unknown> = schema.additionalProperties ? { ...fields } : {}
  for (const [name, field] of Object.entries<TSchema>(schema.properties)) {
    const isPresent = Object.hasOwn(fields, name) && fields[name] !== undefined
    if (isPresent) result[name] = withDefaults(field, fields[name])
    else if ('default' in field && field[OptionalKind] !== 'Optional')
      result[name] = copyOf(field.default)
  }
  return result
}

/** Copies a default, because handlers may mutate it. */
const copyOf = (value: unknown): unknown =>
  typeof value === 'object' ? structuredClone(value) : value

const fromQuery = (schema: TObject, query: URLSearchParams | undefined) => {
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(schema.properties)) {
    const texts = query?.getAll(name) ?? []
    if (texts.length === 0) continue
    values[name] = field.type === 'array' ? texts : fromText(field, texts.at(-1) ?? '')
  }
  return values
}

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** Parses a value of the path or query. Text that cannot be parsed stays text and fails the schema. */
const fromText = (field: TSchema, text: string): unknown => {
  if (field.type === 'boolean') return BOOLEANS.get(text.toLowerCase()) ?? text
  if (field.type === 'integer') return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : text
  if (field.type === 'number')
    return text.trim() && Number.isFinite(Number(text)) ? Number(text) : text
  return text
}

/**
 * Returns an error for each string with fewer characters than its schema's `minLength`. JSON Schema counts
 * characters, but TypeBox counts UTF-16 code units. An emoji has two, so TypeBox misses these errors.
 */
const tooShort = (schema: TSchema, value: unknown, path = ''): ValueError[] => {
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
