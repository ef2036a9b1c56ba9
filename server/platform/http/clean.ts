import { Kind, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { nullableOf } from './variants.ts'

type Clean = (value: unknown) => unknown

/** Undefined for a schema of values that have no properties to remove. */
const cleaners = new WeakMap<TSchema, Clean | undefined>()

/**
 * Removes properties that a schema does not declare, in place. TypeBox's `Value.Clean` does the same, but it
 * reads the schema again for each value and checks all variants of each nullable field.
 */
export const clean = (schema: TSchema, value: unknown): unknown => {
  const cleaner = cleanerOf(schema)
  return cleaner ? cleaner(value) : value
}

const cleanerOf = (schema: TSchema): Clean | undefined => {
  if (!cleaners.has(schema)) cleaners.set(schema, createCleaner(schema))
  return cleaners.get(schema)
}

const createCleaner = (schema: TSchema): Clean | undefined => {
  const nullable = schema.anyOf && nullableOf(schema)
  if (nullable) return cleanerOf(nullable)
  switch (schema[Kind]) {
    case 'Object':
      return schema.additionalProperties ? (value) => Value.Clean(schema, value) : ofObject(schema)
    case 'Array':
      return ofArray(schema)
    case 'Union':
      if (schema.anyOf.every((variant: TSchema) => !cleanerOf(variant))) return undefined
      return (value) => Value.Clean(schema, value)
    case 'String':
    case 'Number':
    case 'Integer':
    case 'Boolean':
    case 'Literal':
    case 'Null':
    case 'Unknown':
      return undefined
    default:
      return (value) => Value.Clean(schema, value)
  }
}

const ofArray = ({ items }: TSchema): Clean | undefined => {
  const cleanItem = cleanerOf(items)
  return cleanItem && ((value) => (Array.isArray(value) ? value.map(cleanItem) : value))
}

const ofObject = ({ properties }: TSchema): Clean => {
  const fields = new Map(
    Object.entries<TSchema>(properties).map(([name, field]) => [name, cleanerOf(field)]),
  )
  return (value) => {
    if (!value || typeof value !== 'object' || Array.isArray(value)) return value
    const object = value as Record<string, unknown>
    for (const name of Object.keys(object)) {
      const cleanField = fields.get(name)
      if (cleanField) object[name] = cleanField(object[name])
      else if (!fields.has(name)) delete object[name]
    }
    return object
  }
}
