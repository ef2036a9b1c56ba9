/**
 * Builds the schemas of the contract as plain JSON schemas. `build.ts` puts it in the place of TypeBox, because the
 * console validates nothing and TypeBox makes its start slower. A test compares the schemas of both.
 */

interface Schema {
  [keyword: string]: unknown
  [isOptional]?: true
}
type Properties = Record<string, Schema>
interface ObjectSchema extends Schema {
  properties: Properties
}

const isOptional = Symbol('optional')

const object = (properties: Properties, options: Schema = {}): ObjectSchema => {
  const required = Object.keys(properties).filter((name) => !properties[name]?.[isOptional])
  return { ...options, type: 'object', ...(required.length > 0 && { required }), properties }
}

const optional = (schema: Schema): Schema => ({ ...schema, [isOptional]: true })
const required = ({ [isOptional]: _, ...schema }: Schema): Schema => schema

const of =
  (type: string) =>
  (options: Schema = {}): Schema => ({ ...options, type })

const mapProperties = (properties: Properties, map: (schema: Schema) => Schema): Properties =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, map(schema)]))

export const Type = {
  String: of('string'),
  Integer: of('integer'),
  Number: of('number'),
  Boolean: of('boolean'),
  Null: of('null'),
  Unknown: (options: Schema = {}): Schema => ({ ...options }),
  Literal: (value: unknown, options: Schema = {}): Schema => ({
    ...options,
    const: value,
    type: typeof value,
  }),
  Array: (items: Schema, options: Schema = {}): Schema => ({ ...options, type: 'array', items }),
  Union: (anyOf: readonly Schema[], options: Schema = {}): Schema => ({ ...options, anyOf }),
  Record: (key: Schema, values: Schema, options: Schema = {}): Schema => ({
    ...options,
    type: 'object',
    patternProperties: { [String(key.pattern ?? '^(.*)$')]: values },
  }),
  Object: object,
  Optional: optional,
  Composite: (parts: readonly ObjectSchema[], options?: Schema): ObjectSchema =>
    object(Object.assign({}, ...parts.map(({ properties }) => properties)), options),
  Partial: ({ properties }: ObjectSchema, options?: Schema): ObjectSchema =>
    object(mapProperties(properties, optional), options),
  Required: ({ properties }: ObjectSchema, options?: Schema): ObjectSchema =>
    object(mapProperties(properties, required), options),
  Omit: ({ properties }: ObjectSchema, names: readonly string[], options?: Schema): ObjectSchema =>
    object(
      Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
      options,
    ),
}

/** The console checks no format. */
export const FormatRegistry = { Set: (): void => {} }
