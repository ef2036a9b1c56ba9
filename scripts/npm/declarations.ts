/** Writes `api.d.ts`: an interface for each group of methods, and the types of their arguments and responses. */
import { groupOf } from '../../clients/npm/encode-rows.ts'
import * as contract from '../../shared/contract/index.ts'
import { type Endpoint, isEndpoint, isStream } from '../../shared/contract/index.ts'
import { pagingOf } from '../../shared/contract/paging.ts'
import { createPrinter, docOf, type Printer, type Schema } from './types.ts'

const capitalized = (name: string): string => `${name[0]?.toUpperCase()}${name.slice(1)}`

/** The schemas that files of the contract export, by name; schemas with an `$id` are types of their own. */
const namedSchemas = (): Map<string, Schema> => {
  const schemas = new Map<string, Schema>()
  const collect = (schema: Schema | undefined): void => {
    if (!schema || typeof schema !== 'object') return
    if (schema.$id && !schemas.has(schema.$id)) schemas.set(schema.$id, schema)
    for (const each of [
      ...Object.values(schema.properties ?? {}),
      ...(schema.anyOf ?? []),
      schema.items,
    ])
      collect(each)
  }
  for (const [name, value] of Object.entries<unknown>(contract)) {
    const isSchema = typeof value === 'object' && value !== null && !isEndpoint(value)
    if (isSchema && /^[A-Z][a-z]/.test(name)) schemas.set(name, value as Schema)
  }
  for (const { success } of contract.contract) if (success[1]) collect(success[1] as Schema)
  return schemas
}

const argsName = ({ name }: Endpoint): string => `${capitalized(name)}Args`

/** Path parameters, query, body and file in one object; undefined without any. */
const argsOf = (row: Endpoint, printer: Printer): string | undefined => {
  const parts = [row.params, row.query, row.body ?? {}] as Schema[]
  const fields = parts.map((part) => printer.fieldsOf(part, 'request')).join('')
  const file = row.upload
    ? '  /** A `File` has a name. */\n  file: Blob\n'
    : row.file
      ? '  file: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>\n'
      : ''
  return fields + file || undefined
}

/** The parts of a stream; the client throws the event `error`. */
const partsOf = (part: Schema, printer: Printer): string => {
  const isError = (each: Schema) => each.properties?.event?.const === 'error'
  const parts = part.anyOf
    ?.filter((each) => !isError(each))
    .map(({ properties = {}, ...each }) => {
      const { id: _, ...fields } = properties
      return { ...each, properties: fields }
    })
  return printer.typeOf(parts ? { anyOf: parts } : part, 'response')
}

/** Methods and types of one row; an endpoint with a second, streamed response has two methods. */
const printRow = (row: Endpoint, printer: Printer) => {
  const types: string[] = []
  const args = argsOf(row, printer)
  if (args) types.push(`export interface ${argsName(row)} {\n${args}}\n`)
  const isRequired = args !== undefined && /^ {2}\w+:/m.test(args)
  const parameters = args ? `args${isRequired ? '' : '?'}: ${argsName(row)}, ` : 'args?: NoArgs, '
  const method = (name: string, response: string): string => {
    const path = row.path.replaceAll('*/', '')
    const doc = docOf(`${row.summary}: \`${row.method} ${path}\`.`, '  ')
    return `${doc}  ${name}(${parameters}options?: CallOptions): Promise<${response}>\n`
  }
  const streamMethod = (name: string, part: Schema): string => {
    const event = `${capitalized(name)}Part`
    types.push(`export type ${event} = ${partsOf(part, printer)}\n`)
    return method(name, `AsyncIterable<${event}>`)
  }
  const responseOf = (schema: Schema): string => {
    const type = printer.typeOf(schema, 'response')
    if (!type.includes('{')) return type
    types.push(`export type ${capitalized(row.name)}Response = ${type}\n`)
    return `${capitalized(row.name)}Response`
  }
  const [, success] = row.success
  const first = () => {
    if (row.download) return method(row.name, 'Blob')
    if (success === null) return method(row.name, 'void')
    return isStream(success)
      ? streamMethod(row.name, success.stream.part as Schema)
      : method(row.name, responseOf(success as Schema))
  }
  const second = row.streamed
    ? streamMethod(`${row.name}Stream`, row.streamed.stream.part as Schema)
    : ''
  const paging = pagingOf(row)
  /** The method that iterates over the items of all pages. */
  const third = () => {
    if (!paging) return ''
    const { properties, items } = success as Schema
    const item = (paging.items ? properties?.[paging.items]?.items : items) ?? {}
    const order = paging.isOldestFirst ? ' The items are newest first.' : ''
    const doc = docOf(`The items of all pages of \`${row.name}\`.${order}`, '  ')
    return `${doc}  ${row.name}All(${parameters}options?: CallOptions): AsyncIterable<${printer.typeOf(item, 'response')}>\n`
  }
  return { methods: first() + second + third(), types }
}

const HEAD = `import type { CallOptions } from './options.js'

/** An endpoint without arguments. */
export type NoArgs = Record<string, never>
`

/** @throws Error if two types have one name. */
export const apiDeclarations = (rows: readonly Endpoint[]): string => {
  const printer = createPrinter(namedSchemas())
  const groups = new Map<string, string>()
  const types: string[] = []
  for (const row of rows) {
    const printed = printRow(row, printer)
    groups.set(groupOf(row), (groups.get(groupOf(row)) ?? '') + printed.methods)
    types.push(...printed.types)
  }
  const names = [...groups.keys()]
  const api = names.map((name) => `  ${name}: ${capitalized(name)}Methods\n`).join('')
  const interfaces = [...groups].map(
    ([name, methods]) => `export interface ${capitalized(name)}Methods {\n${methods}}\n`,
  )
  const text = [
    HEAD,
    `/** The methods by group. */\nexport interface Api {\n${api}}\n`,
    ...interfaces,
    ...types,
    printer.declarations(),
  ].join('\n')
  assertUnique(text)
  return text
}

const assertUnique = (text: string): void => {
  const names = [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name)
  const doubled = names.filter((name, index) => names.indexOf(name) !== index)
  if (doubled.length) throw new Error(`Types of the package with one name: ${doubled.join(', ')}`)
}
