/** Prints the JSON schemas of the contract as TypeScript. */

/** The keywords of JSON Schema that the contract uses. */
export interface Schema {
  type?: string
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  required?: string[]
  description?: string
  default?: unknown
  $id?: string
}

/** Clients may omit fields with a default in requests; responses have them. */
type Direction = 'request' | 'response'

export type Printer = ReturnType<typeof createPrinter>

/** The schema without what its type does not show, as a key. */
const keyOf = (schema: Schema): string =>
  JSON.stringify(schema, (name, value: unknown) =>
    ['description', 'examples', 'title', '$id', 'default'].includes(name) ? undefined : value,
  )

const hasDefault = (schema: Schema | undefined): boolean =>
  schema !== undefined &&
  (schema.default !== undefined ||
    [...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? []), schema.items].some(
      (each) => hasDefault(each),
    ))

/** Objects, and closed lists of strings. */
const isNamed = ({ type, properties, anyOf }: Schema): boolean =>
  (type === 'object' && properties !== undefined) ||
  (anyOf?.every((each) => each.const !== undefined) ?? false)

export const docOf = (text: string | undefined, indent: string): string =>
  text ? `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n` : ''

/** @param named schemas by name; an equal schema elsewhere is printed as the name. */
export const createPrinter = (named: ReadonlyMap<string, Schema>) => {
  const names = new Map<string, string>()
  for (const [name, schema] of named)
    if (isNamed(schema) && !names.has(keyOf(schema))) names.set(keyOf(schema), name)
  const declared = new Map<string, string>()

  const nameOf = (schema: Schema): string | undefined =>
    schema.$id !== undefined && named.has(schema.$id) ? schema.$id : names.get(keyOf(schema))

  const typeOf = (schema: Schema, direction: Direction, indent = ''): string => {
    const name = isNamed(schema) ? nameOf(schema) : undefined
    if (name === undefined) return formOf(schema, direction, indent)
    const isInput = direction === 'request' && hasDefault({ ...schema, default: undefined })
    const printed = isInput ? `${name}Input` : name
    if (!declared.has(printed)) {
      // A recursive type would print itself again.
      declared.set(printed, '')
      declared.set(printed, declare(printed, schema, isInput ? 'request' : 'response'))
    }
    return printed
  }

  const declare = (name: string, schema: Schema, direction: Direction): string => {
    const doc = docOf(schema.description, '')
    return schema.properties
      ? `${doc}export interface ${name} {\n${fieldsOf(schema, direction)}}\n`
      : `${doc}export type ${name} = ${formOf(schema, direction, '')}\n`
  }

  const formOf = (schema: Schema, direction: Direction, indent: string): string => {
    if (schema.const !== undefined) return literal(schema.const)
    if (schema.anyOf)
      return [...new Set(schema.anyOf.map((each) => typeOf(each, direction, indent)))].join(' | ')
    if (schema.type === 'array') return arrayOf(typeOf(schema.items ?? {}, direction, indent))
    if (schema.type === 'object') return objectOf(schema, direction, indent)
    if (schema.type === 'integer') return 'number'
    return schema.type ?? 'unknown'
  }

  const objectOf = (schema: Schema, direction: Direction, indent: string): string => {
    const [values] = Object.values(schema.patternProperties ?? {})
    if (values) return `Record<string, ${typeOf(values, direction, indent)}>`
    const fields = fieldsOf(schema, direction, `${indent}  `)
    return fields ? `{\n${fields}${indent}}` : 'Record<string, unknown>'
  }

  const fieldsOf = (schema: Schema, direction: Direction, indent = '  '): string =>
    Object.entries(schema.properties ?? {})
      .map(([name, field]) => {
        const isRequest = direction === 'request'
        const isOptional =
          !schema.required?.includes(name) || (isRequest && field.default !== undefined)
        const type = typeOf(field, direction, indent)
        const undefinedToo = isOptional && isRequest && type !== 'unknown' ? ' | undefined' : ''
        return `${docOf(describe(field, isRequest), indent)}${indent}${name}${isOptional ? '?' : ''}: ${type}${undefinedToo}\n`
      })
      .join('')

  return {
    /** The type of a schema: its name, or its form. */
    typeOf,
    /** The fields of an object type, one a line. */
    fieldsOf,
    /** Declarations of all named types that were printed. */
    declarations: (): string =>
      [...declared.entries()]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([, text]) => text)
        .join('\n'),
  }
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : JSON.stringify(value)

const arrayOf = (item: string): string => (/^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`)

const describe = (field: Schema, isRequest: boolean): string | undefined => {
  const inner = field.anyOf?.find((each) => each.description)?.description
  const { description = inner ?? '' } = field
  const isStated = field.default === undefined || /\bdefault\b/i.test(description)
  if (!isRequest || isStated) return description || undefined
  return `${description} Default: ${JSON.stringify(field.default)}.`.trim()
}
