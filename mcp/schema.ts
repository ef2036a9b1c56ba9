import {
  fromJsonSchema,
  type JsonSchemaType,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import type { TObject, TSchema } from '@sinclair/typebox'

/**
 * A published schema of arguments or of structured content. Values are not validated here: the server
 * validates arguments by the contract row and reports every failing field.
 */
export const publishedSchema = <T>(schema: TSchema): StandardSchemaWithJSON<T> => {
  const json = toJsonSchema(schema) as Record<string, unknown>
  const getSchema = () => json
  return {
    '~standard': {
      version: 1,
      vendor: 'svc',
      jsonSchema: { input: getSchema, output: getSchema },
      validate: (value) => ({ value: value as T }),
    },
  }
}

/** The schema of a prompt's arguments. The SDK validates them. */
export const argumentSchema = <T>(schema: TSchema) => fromJsonSchema<T>(toJsonSchema(schema))

/**
 * Some fields of an endpoint's body or query, described for a model. A tool accepts the others too, but
 * does not publish them, because every published field costs context in each conversation.
 */
export const describeFields = <T extends TObject, K extends keyof T['properties'] & string>(
  { properties }: T,
  descriptions: Record<K, string>,
): Pick<T['properties'], K> =>
  Object.fromEntries(
    Object.entries<string>(descriptions).map(([name, description]) => [
      name,
      { ...properties[name], description },
    ]),
  ) as Pick<T['properties'], K>

/** Some fields of an endpoint's body, without descriptions. */
export const fieldsOf = <T extends TObject, K extends keyof T['properties'] & string>(
  { properties }: T,
  names: readonly K[],
): Pick<T['properties'], K> =>
  Object.fromEntries(
    names.map((name) => {
      const { description: _, ...field } = properties[name] as TSchema
      return [name, field]
    }),
  ) as Pick<T['properties'], K>

/**
 * A TypeBox schema as compact JSON Schema: fields with a default and nullable fields are optional, enums
 * and maps are written as `enum` and `additionalProperties`, and limits of texts and lists are left out,
 * because errors name them.
 */
export const toJsonSchema = (schema: TSchema): JsonSchemaType => {
  const { type, description, format, minimum, maximum, default: fallback } = schema
  const { anyOf, properties, items, required, patternProperties } = schema
  if (anyOf) return union(anyOf, { description, fallback })
  const requiredFields = (required ?? []).filter((name: string) => !('default' in properties[name]))
  return withoutUndefined({
    type,
    description,
    format,
    minimum,
    maximum,
    default: Array.isArray(fallback) ? undefined : fallback,
    ...(patternProperties && { additionalProperties: true }),
    ...(items && { items: toJsonSchema(items) }),
    ...(properties && { properties: mapValues(properties, toJsonSchema) }),
    ...(requiredFields.length > 0 && { required: requiredFields }),
  })
}

const union = (
  variants: TSchema[],
  { description, fallback }: { description: string | undefined; fallback: unknown },
): JsonSchemaType => {
  const values = variants.filter(({ type }) => type !== 'null')
  const [only] = values
  if (only && values.length === 1)
    return toJsonSchema({ ...only, ...withoutUndefined({ description }) })
  const literals = values.map((variant) => variant.const)
  const isEnum = literals.every((literal) => literal !== undefined)
  return withoutUndefined({
    ...(isEnum ? { type: 'string', enum: literals } : { anyOf: values.map(toJsonSchema) }),
    description,
    default: fallback,
  })
}

const withoutUndefined = (fields: object): JsonSchemaType =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as JsonSchemaType

const mapValues = <A, B>(record: Record<string, A>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
