import type { TSchema } from '@sinclair/typebox'

/**
 * The shortest valid value: the example of the schema, or an object with the examples of its required
 * fields.
 */
export const exampleOf = (schema: TSchema): unknown => {
  const { examples, anyOf, items, properties, required = [] } = schema
  if (examples) return examples[0]
  if (schema.const !== undefined) return schema.const
  if (anyOf) return exampleOf(anyOf[0])
  if (items) return [exampleOf(items)]
  if (schema.type === 'boolean') return true
  const names = (required as string[]).filter((name) => !('default' in properties[name]))
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name])]))
}
