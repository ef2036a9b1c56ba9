import type { TObject, TSchema } from '@sinclair/typebox'
import * as declarations from '../../shared/contract/index.ts'
import { propertyName, singular, stemOf, variantName } from './nested-names.ts'
import { flat, generic, literal, type PyType, quoted, typed, wrapped } from './print.ts'

/** The Python types of the schemas of the contract. Objects become a TypedDict, each defined once. */
export type Types = ReturnType<typeof createTypes>

/** Fields with a default may be omitted, as in the API description. */
export const isRequired = ({ required = [] }: TObject, name: string, field: TSchema): boolean =>
  required.includes(name) && !('default' in field)

/**
 * The names of exported schemas, by the part that their copies share: a copy with another description or
 * default has the same properties or variants.
 */
const exported = new Map<unknown, string>()
for (const [name, schema] of Object.entries<unknown>({ ...declarations })) {
  if (typeof schema !== 'object' || schema === null || !/^[A-Z][a-z]/.test(name)) continue
  const { properties, anyOf } = schema as TSchema
  const shared = properties ?? anyOf
  if (shared && !exported.has(shared)) exported.set(shared, name)
}

/** The properties of all objects in these schemas. */
export const propertiesOf = (schemas: readonly unknown[]): ReadonlySet<unknown> => {
  const found = new Set<unknown>()
  const collect = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null || found.has(schema)) return
    found.add(schema)
    for (const each of Object.values(schema)) collect(each)
  }
  for (const schema of schemas) collect(schema)
  return found
}

/** @param received the properties of the objects that responses have: their times are texts. */
export const createTypes = (reserved: ReadonlySet<string>, received: ReadonlySet<unknown>) => {
  const names = new Map<unknown, string>()
  const shapes = new Map<string, string>()
  const lines: string[] = []

  /** @returns the name of a definition, which `define` writes if it is new. */
  const named = (
    shared: unknown,
    shape: object,
    name: string,
    define: (name: string) => string[],
  ) => {
    const known = names.get(shared)
    if (known) return known
    const text = JSON.stringify(shape)
    const other = shapes.get(name)
    if (reserved.has(name)) throw new Error(`The client has another class named ${name}`)
    if (other !== undefined && other !== text) throw new Error(`Two types are named ${name}`)
    names.set(shared, name)
    if (other !== undefined) return name
    shapes.set(name, text)
    const definition = define(name)
    // Two empty lines follow a class.
    if (lines.at(-1)?.startsWith(' ') && definition[1] !== '') lines.push('')
    lines.push(...definition)
    return name
  }

  const aliasOf = (schema: TSchema, type: PyType, name: string): string =>
    named(schema.anyOf, schema.anyOf, name, () => ['', ...typed(`${name} = `, type, 0)])

  const markOf = (variant: TSchema): string | undefined =>
    Object.values<TSchema>(variant.properties ?? {}).find(
      ({ const: mark }) => typeof mark === 'string',
    )?.const

  const union = (schema: TSchema, name: string, isInput: boolean): PyType => {
    const variants: TSchema[] = schema.anyOf
    const others = variants.filter((variant) => variant.type !== 'null')
    const nullable = (type: PyType) =>
      others.length < variants.length ? generic('Optional', type) : type
    const constants = others.map((variant) => variant.const)
    if (constants.every((constant) => constant !== undefined)) {
      const type = generic('Literal', ...constants.map(literal))
      const alias = exported.get(schema.anyOf)
      return alias ? aliasOf(schema, nullable(type), alias) : nullable(type)
    }
    const [only] = others
    if (others.length === 1 && only) return nullable(of(only, name, isInput))
    const isMixed = others.some((variant) => !variant.properties)
    const types = others.map((variant) =>
      of(variant, isMixed ? name : variantName(name, markOf(variant) ?? ''), isInput),
    )
    return nullable(generic('Union', ...new Set(types.map((type) => flat(type)))))
  }

  const object = (schema: TSchema, parent: string): PyType => {
    if (schema.patternProperties) {
      const [value = {}] = Object.values<TSchema>(schema.patternProperties)
      return generic('dict', 'str', of(value as TSchema, singular(parent), !received.has(schema)))
    }
    const fields = Object.entries<TSchema>(schema.properties ?? {})
    if (fields.length === 0) return generic('dict', 'str', 'Any')
    const name = schema.$id ?? exported.get(schema.properties) ?? parent
    const shape = { properties: schema.properties, required: schema.required }
    const stem = name === parent ? stemOf(name) : name
    const isInput = !received.has(schema.properties)
    return named(schema.properties, shape, name, () => {
      const rows = fields.map(([field, type]) => ({
        name: field,
        type: of(type, propertyName(stem, field, type), isInput),
        isRequired: isRequired(schema as TObject, field, type),
        lines: [
          ...wrapped(sourceText(aboutOf(type)), '    # ').filter((line) => line !== '    # '),
          ...typed(`${field}: `, of(type, propertyName(stem, field, type), isInput), 1),
        ],
      }))
      return typedDict(name, schema.description, rows)
    })
  }

  const of = (schema: TSchema, name: string, isInput = false): PyType => {
    if (schema.const !== undefined) return generic('Literal', literal(schema.const))
    if (schema.anyOf) return union(schema, name, isInput)
    if (schema.type === 'array') return generic('list', of(schema.items, singular(name), isInput))
    if (isInput && schema.format === 'date-time') return 'Time'
    if (schema.type === 'object') return object(schema, name)
    return SCALARS[schema.type as string] ?? 'Any'
  }

  return {
    /**
     * @param name that of an object without one of its own.
     * @param isInput whether only callers write it: a time may be a `datetime` then.
     */
    of,
    /** The same for a union, which gets this name. */
    named: (schema: TSchema, name: string): PyType =>
      schema.anyOf ? aliasOf(schema, of(schema, name), name) : of(schema, name),
    /** The definitions of all types that `of` has returned, in an order in which each name is known. */
    definitions: (): string[] => lines,
  }
}

const SCALARS: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

interface Field {
  name: string
  type: PyType
  isRequired: boolean
  lines: string[]
}

/** Python 3.9 has no `NotRequired`: the required fields are in a base class. */
const typedDict = (name: string, description: string | undefined, fields: Field[]): string[] => {
  if (fields.some((field) => KEYWORDS.has(field.name))) return functional(name, fields)
  const about = description ? [...docstring(description), ''] : []
  const body = (isOf: (field: Field) => boolean) =>
    fields.filter(isOf).flatMap((field) => field.lines)
  const required = body((field) => field.isRequired)
  const optional = body((field) => !field.isRequired)
  if (optional.length === 0) return ['', '', `class ${name}(TypedDict):`, ...about, ...required]
  if (required.length === 0)
    return ['', '', `class ${name}(TypedDict, total=False):`, ...about, ...optional]
  return [
    ...['', '', `class _${name}(TypedDict):`, ...required],
    ...['', '', `class ${name}(_${name}, total=False):`, ...about, ...optional],
  ]
}

/** The names of fields that no class can have. */
const KEYWORDS = new Set(['from', 'class', 'import', 'global', 'pass', 'in', 'is', 'as'])

const functional = (name: string, fields: Field[]): string[] => {
  if (!fields.every((field) => field.isRequired)) throw new Error(`${name} has optional fields`)
  return [
    ...['', `${name} = TypedDict(`, `    ${quoted(name)},`, '    {'],
    ...fields.flatMap((field) => [
      ...field.lines.filter((line) => line.startsWith('    # ')).map((line) => `    ${line}`),
      ...typed(`${quoted(field.name)}: `, field.type, 2, ','),
    ]),
    ...['    },', ')'],
  ]
}

const docstring = (text: string): string[] => {
  const lines = wrapped(sourceText(text), '    """', '    ', 97)
  return [...lines.slice(0, -1), `${lines.at(-1)}"""`]
}

/** Backslashes and quotation marks would end or change a docstring. */
export const sourceText = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")

/** The description of a field, or that of its values beside null. */
export const aboutOf = ({ description, anyOf = [] }: TSchema): string => {
  if (description) return description
  const others: TSchema[] = anyOf.filter((variant: TSchema) => variant.type !== 'null')
  return (others.length === 1 && others[0]?.description) || ''
}

/** The default of a field, for its documentation. */
export const defaultText = (field: TSchema): string => {
  if (!('default' in field)) return ''
  const text = typeof field.default === 'string' ? quoted(field.default) : literal(field.default)
  return ` Default: \`${text}\`.`
}
