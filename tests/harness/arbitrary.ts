import { FormatRegistry, Kind, type TSchema } from '@sinclair/typebox'
import fc from 'fast-check'

/** A property that no schema declares, in objects of `arbitraryOf`. */
export const UNDECLARED = 'undeclared'

const MAX_ITEMS = 3

const FORMATS: Record<string, fc.Arbitrary<string>> = {
  uuid: fc.uuid(),
  uri: fc.webUrl(),
  'date-time': fc
    .date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  date: fc
    .date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
}
// The server gives these formats to clients, and checks no value of them.
for (const format of ['uri', 'date']) FormatRegistry.Set(format, () => true)

const textOf = ({ format, pattern, minLength, maxLength }: TSchema): fc.Arbitrary<string> => {
  const known = format === undefined ? undefined : FORMATS[format]
  if (format !== undefined && !known) throw new Error(`no values of the format ${format}`)
  return (
    known ??
    (pattern === undefined
      ? fc.string({ ...(minLength && { minLength }), ...(maxLength && { maxLength }) })
      : fc.stringMatching(new RegExp(pattern)))
  )
}

const objectOf = ({
  properties,
  required = [],
  additionalProperties,
}: TSchema): fc.Arbitrary<unknown> => {
  const fields = Object.entries<TSchema>(properties).map(([name, field]) => [
    name,
    arbitraryOf(field),
  ])
  return fc.record(
    {
      ...Object.fromEntries(fields),
      ...(!additionalProperties && { [UNDECLARED]: fc.constantFrom(1, { [UNDECLARED]: 2 }) }),
    },
    { requiredKeys: required },
  )
}

/** Values that fit a schema, but for an undeclared property in some objects. */
export const arbitraryOf = (schema: TSchema): fc.Arbitrary<unknown> => {
  switch (schema[Kind]) {
    case 'Literal':
      return fc.constant(schema.const)
    case 'Union':
      return fc.oneof(...schema.anyOf.map(arbitraryOf))
    case 'Null':
      return fc.constant(null)
    case 'Boolean':
      return fc.boolean()
    case 'Integer':
      return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000_000 })
    case 'Number':
      return fc.double({
        min: schema.minimum ?? -1_000,
        max: schema.maximum ?? 1_000_000,
        noNaN: true,
      })
    case 'String':
      return textOf(schema)
    case 'Array':
      return fc.array(arbitraryOf(schema.items), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, MAX_ITEMS),
      })
    case 'Record': {
      const [value] = Object.values<TSchema>(schema.patternProperties)
      return fc.dictionary(fc.uuid(), value ? arbitraryOf(value) : fc.constant(null), {
        maxKeys: MAX_ITEMS,
      })
    }
    case 'Object':
      return objectOf(schema)
    case 'Unknown':
      return fc.jsonValue()
    default:
      throw new Error(`no values of the kind ${schema[Kind]}`)
  }
}
