import {
  fromJsonSchema,
  type JsonSchemaType,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import type { TSchema } from '@sinclair/typebox'

/**
 * The schema that a tool's arguments are published with. They are not checked here: the server
 * checks them by the same contract row, and names every failing field.
 */
export const inputSchema = <T>(schema: TSchema): StandardSchemaWithJSON<T> => {
  const json = plain(schema) as Record<string, unknown>
  const published = () => json
  return {
    '~standard': {
      version: 1,
      vendor: 'svc',
      jsonSchema: { input: published, output: published },
      validate: (value) => ({ value: value as T }),
    },
  }
}

/**
 * The schema of a tool's structured content. `fits` checks it, once: what the SDK is given passes.
 */
export const outputSchema = <T>(schema: TSchema) => {
  const checked = fromJsonSchema<T>(plain(schema))
  return {
    published: inputSchema<T>(schema),
    fits: (value: unknown): boolean => {
      const result = checked['~standard'].validate(value)
      return !(result instanceof Promise) && !result.issues
    },
  }
}

/** The schema of a prompt's arguments, which are checked against it. */
export const argumentSchema = <T>(schema: TSchema) => fromJsonSchema<T>(plain(schema))

/**
 * A TypeBox schema is JSON Schema already, save that a field with a default may be left out. A
 * closed list is written as `enum` and a map as `additionalProperties`: more clients know these.
 */
const plain = (schema: TSchema): JsonSchemaType => {
  const { anyOf, properties, items, required, patternProperties, ...rest } = schema
  if (patternProperties) return { ...rest, additionalProperties: true }
  if (anyOf) return union(anyOf, rest)
  if (items) return { ...rest, items: plain(items) }
  if (!properties) return { ...rest }
  const needed = (required ?? []).filter((name: string) => !('default' in properties[name]))
  return {
    ...rest,
    properties: mapValues(properties, plain),
    ...(needed.length > 0 && { required: needed }),
  }
}

const union = (variants: TSchema[], rest: object): JsonSchemaType => {
  const literals = variants.map((variant) => variant.const)
  if (literals.every((literal) => literal !== undefined))
    return { ...rest, type: 'string', enum: literals }
  const description = variants.find((variant) => variant.description)?.description
  return { ...(description && { description }), ...rest, anyOf: variants.map(plain) }
}

const mapValues = <A, B>(record: Record<string, A>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
