import type { TSchema } from '@sinclair/typebox'
import type { OpenAPIV3 } from 'openapi-types'

/**
 * Converts a TypeBox schema to OpenAPI 3.0, which differs from JSON Schema: it has `nullable`, one example
 * and a single-value `enum` for a constant. Fields with a default are optional. `trim`, `label` and
 * `badRequest` are specific to svc.
 */
export const toOpenApi = (schema: TSchema): Described => {
  const { $id, ...unnamed } = schema
  if (!$id) return describe(schema)
  named.set($id, unnamed as TSchema)
  return { $ref: `#/components/schemas/${$id}` }
}

export type Described = OpenAPIV3.SchemaObject | OpenAPIV3.ReferenceObject

/** The schemas with an `$id`, which generators make a type of. */
const named = new Map<string, TSchema>()

/** The components that the description refers to. It is complete after the last use of `toOpenApi`. */
export const namedSchemas = (): Record<string, Described> => {
  const described: Record<string, Described> = {}
  // Describing a schema may add others, which the iteration reaches too.
  for (const [name, schema] of named) described[name] = describe(schema)
  return described
}

const describe = (schema: TSchema): OpenAPIV3.SchemaObject => {
  const {
    anyOf,
    properties,
    items,
    required,
    patternProperties,
    trim: _trim,
    label: _label,
    badRequest: _badRequest,
    const: literal,
    examples,
    ...others
  } = schema
  const rest = { ...others, ...(examples && { example: (examples as unknown[])[0] }) }
  if (literal !== undefined) return { ...rest, enum: [literal] } as OpenAPIV3.SchemaObject
  if (schema.type === 'null') return { ...rest, type: 'object', nullable: true, enum: [null] }
  if (patternProperties) return { ...rest, additionalProperties: true } as OpenAPIV3.SchemaObject
  if (anyOf) return union(anyOf as TSchema[], rest)
  if (items) return { ...rest, type: 'array', items: toOpenApi(items as TSchema) }
  if (!properties) return rest as OpenAPIV3.SchemaObject
  const requiredNames = ((required ?? []) as string[]).filter(
    (name) => !('default' in properties[name]),
  )
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties as Record<string, TSchema>).map(([name, field]) => [
        name,
        toOpenApi(field),
      ]),
    ),
    ...(requiredNames.length && { required: requiredNames }),
  }
}

const union = (variants: TSchema[], rest: object): OpenAPIV3.SchemaObject => {
  const forms = variants.filter((variant) => variant.type !== 'null')
  const nullable = forms.length < variants.length && { nullable: true }
  const literals = forms.map((variant) => variant.const)
  if (literals.every((literal) => literal !== undefined))
    return { ...rest, ...nullable, type: 'string', enum: literals }
  if (forms.length === 1 && forms[0]) {
    const form = toOpenApi(forms[0])
    // Fields beside a reference are ignored.
    return { ...('$ref' in form ? { allOf: [form] } : form), ...rest, ...nullable }
  }
  return { ...rest, ...nullable, anyOf: forms.map(toOpenApi) }
}

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
