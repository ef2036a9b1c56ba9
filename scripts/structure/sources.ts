import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Glob } from 'bun'
import { type Node, parseSync, Visitor } from 'oxc-parser'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PROGRAMS = ['server', 'shared', 'cli', 'mcp', 'console']
/** The programs and all other folders with sources. */
export const FOLDERS = [...PROGRAMS, 'clients/npm', 'tests', 'scripts', 'bench']

/** A domain of the server imports itself and the domains before it, types included. The last three are on one level. */
export const DOMAIN_ORDER = [
  ['platform'],
  ['account'],
  ['usage'],
  ['memory'],
  ['prompt'],
  ['conversation'],
  ['emails'],
  ['admin', 'mcp', 'system'],
  ['config', 'features'],
]
const levelOf = (domain: string) => DOMAIN_ORDER.findIndex((level) => level.includes(domain))

export interface Source {
  path: string
  text: string
  lines: number
  /** Paths of the imported files of the source, types included. */
  imports: string[]
  casts: number
  doubleCasts: number
  /** Lines and parameters of each function. */
  functions: { line: number; lines: number; parameters: number }[]
  exportedTypes: string[]
}

const countLines = (text: string) => text.split('\n').length - 1

const readSource = (root: string, path: string): Source => {
  const text = readFileSync(join(root, path), 'utf8')
  const { program } = parseSync(path, text)
  const source: Source = {
    path,
    text,
    lines: countLines(text),
    imports: [],
    casts: 0,
    doubleCasts: 0,
    functions: [],
    exportedTypes: [],
  }
  const addImport = (specifier: Node | null) => {
    if (specifier?.type !== 'Literal' || typeof specifier.value !== 'string') return
    if (specifier.value.startsWith('.'))
      source.imports.push(normalize(join(dirname(path), specifier.value)))
  }
  const addFunction = ({ start, end }: Node, parameters: number) => {
    const line = countLines(text.slice(0, start)) + 1
    source.functions.push({ line, lines: countLines(text.slice(start, end)) + 1, parameters })
  }
  new Visitor({
    ImportDeclaration: (node) => addImport(node.source),
    ImportExpression: (node) => addImport(node.source),
    TSImportType: (node) => addImport(node.source),
    ExportAllDeclaration: (node) => addImport(node.source),
    ExportNamedDeclaration: (node) => {
      addImport(node.source)
      const { declaration } = node
      if (
        declaration?.type === 'TSInterfaceDeclaration' ||
        declaration?.type === 'TSTypeAliasDeclaration' ||
        (declaration?.type === 'ClassDeclaration' && declaration.id)
      )
        source.exportedTypes.push(declaration.id?.name ?? '')
    },
    TSAsExpression: ({ expression, typeAnnotation }) => {
      const isConst =
        typeAnnotation.type === 'TSTypeReference' &&
        typeAnnotation.typeName.type === 'Identifier' &&
        typeAnnotation.typeName.name === 'const'
      if (isConst) return
      source.casts++
      if (expression.type === 'TSAsExpression') source.doubleCasts++
    },
    ArrowFunctionExpression: (node) => addFunction(node, node.params.length),
    FunctionDeclaration: (node) => addFunction(node, node.params.length),
    FunctionExpression: (node) => addFunction(node, node.params.length),
  }).visit(program)
  return source
}

/** The feature of a server file: its first directory below the domain, or the file itself. */
export const featureOf = (path: string): string => path.split('/').slice(0, 3).join('/')
export const domainOf = (path: string) => /^server\/([^/]+)\//.exec(path)?.[1]

/** An import: the path of the file and the path that it imports. */
export interface Edge {
  from: string
  to: string
}

/** Files or features that import each other, directly or through others: Tarjan's strongly connected components. */
export const circlesOf = (edges: Edge[]): string[][] => {
  const next = new Map<string, Set<string>>()
  for (const { from, to } of edges) next.set(from, (next.get(from) ?? new Set()).add(to))
  const indexes = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  /** The lowest index of an open node that `node` reaches. */
  const visit = (node: string): number => {
    const index = indexes.size
    indexes.set(node, index)
    stack.push(node)
    let lowest = index
    for (const to of next.get(node) ?? [])
      if (!indexes.has(to)) lowest = Math.min(lowest, visit(to))
      else if (stack.includes(to)) lowest = Math.min(lowest, indexes.get(to) ?? index)
    if (lowest < index) return lowest
    const component = stack.splice(stack.indexOf(node))
    if (component.length > 1 || next.get(node)?.has(node)) circles.push(component.sort())
    return lowest
  }
  for (const node of [...next.keys()].sort()) if (!indexes.has(node)) visit(node)
  return circles
}

/** All files of the folders, in the order of their paths. */
export const readSources = (root: string, folders = PROGRAMS): Source[] =>
  folders
    .flatMap((folder) => [...new Glob(`${folder}/**/*.{ts,tsx}`).scanSync(root)])
    .filter((path) => !path.includes('node_modules/'))
    .sort()
    .map((path) => readSource(root, path))

export const importsOf = (sources: Source[]): Edge[] =>
  sources.flatMap(({ path, imports }) => imports.map((to) => ({ from: path, to })))

/** Imports of a domain that is not below the importing one. */
export const upwardImports = (imports: Edge[]): Edge[] =>
  imports.filter(({ from, to }) => {
    const [own, other] = [domainOf(from), domainOf(to)]
    return own && other && own !== other && levelOf(other) >= levelOf(own)
  })

/** Imports between two folders of one domain. A file `feature.ts` assembles a folder, as the root files do a domain. */
export const featureImports = (imports: Edge[]): Edge[] =>
  imports.filter(
    ({ from, to }) =>
      domainOf(from) &&
      domainOf(from) === domainOf(to) &&
      featureOf(from) !== featureOf(to) &&
      !from.endsWith('/feature.ts'),
  )

/** Features of one domain that import each other, directly or through others. */
export const featureCircles = (imports: Edge[]): string[][] =>
  circlesOf(
    featureImports(imports).map(({ from, to }) => ({ from: featureOf(from), to: featureOf(to) })),
  )
