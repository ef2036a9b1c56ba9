import { expect, test } from 'bun:test'
import { type Expression, parseSync, type Statement, type TSType } from 'oxc-parser'
import { ROOT, readSources } from '../../scripts/structure/sources.ts'

/** `Service` of `Service` and `Promise<Service>`. */
const nameOf = (type: TSType | undefined): string | undefined => {
  if (type?.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return undefined
  const { name } = type.typeName
  return name === 'Promise' ? nameOf(type.typeArguments?.params[0]) : name
}

/** The names of the interfaces of which most members are methods. */
const servicesOf = (statement: Statement): string[] => {
  if (statement.type !== 'TSInterfaceDeclaration') return []
  const members = statement.body.body
  const methods = members.filter(({ type }) => type === 'TSMethodSignature')
  return methods.length * 2 > members.length ? [statement.id.name] : []
}

const returnedBy = (value: Expression | null): string | undefined =>
  value?.type === 'ArrowFunctionExpression' ? nameOf(value.returnType?.typeAnnotation) : undefined

/** The types of the constants of a file, and of what its functions return. */
const valuesOf = (statement: Statement) =>
  statement.type === 'VariableDeclaration'
    ? statement.declarations.map(({ id, init }) => ({
        constant: nameOf(id.typeAnnotation?.typeAnnotation),
        returned: returnedBy(init),
      }))
    : []

/** Interfaces that repeat the signatures of the only function of the file that returns them. */
const repeatedIn = (path: string, text: string): string[] => {
  const statements = parseSync(path, text).program.body.flatMap((statement) =>
    statement.type === 'ExportNamedDeclaration' ? (statement.declaration ?? []) : statement,
  )
  const values = statements.flatMap(valuesOf)
  return statements
    .flatMap(servicesOf)
    .filter(
      (name) =>
        values.filter(({ returned }) => returned === name).length === 1 &&
        !values.some(({ constant }) => constant === name),
    )
}

test('the type of a service is inferred from its only factory', () => {
  const repeated = readSources(ROOT, ['server', 'cli', 'mcp', 'scripts'])
    // Features are given to `defineFeature`, which checks them by their interface.
    .filter(({ path }) => path !== 'server/feature.ts')
    .flatMap(({ path, text }) => repeatedIn(path, text).map((name) => `${path}: ${name}`))
  expect(repeated).toEqual([])
})

test('an interface with one factory in its file is found, and one with two is not', () => {
  const text = `
    export interface Keys { list(): string[]; end(): void }
    interface Blobs { read(): string }
    export const openKeys = async (): Promise<Keys> => ({ list: () => [], end() {} })
    const inFiles = (): Blobs => ({ read: () => '' })
    const inMemory: Blobs = { read: () => '' }`
  expect(repeatedIn('keys.ts', text)).toEqual(['Keys'])
})
