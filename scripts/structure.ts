/**
 * Figures of the source's structure: `bun scripts/structure.ts [path] [--base <commit>]`.
 *
 * The first argument limits the figures of files, imports and functions to a directory, such as
 * `server/memory`, and lists what they count. With `--base`, a second column has the figures of that
 * commit.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { Glob } from 'bun'
import {
  circlesOf,
  FOLDERS,
  featureCircles,
  featureImports,
  featureOf,
  importsOf,
  ROOT,
  readSources,
  type Source,
  upwardImports,
} from './structure/sources.ts'

const median = (values: number[]) => values.sort((one, two) => one - two)[values.length >> 1] ?? 0

const filesNaming = (files: { text: string }[], name: RegExp) =>
  files.filter(({ text }) => name.test(text)).length

interface Measured {
  figures: Map<string, number | string>
  details: string[]
}

const measure = (root: string, under: string): Measured => {
  const everything = readSources(root)
  const sources = everything.filter(({ path }) => path.startsWith(under))
  const server = sources.filter(({ path }) => path.startsWith('server/'))
  const optional = server.filter(({ path }) => path.startsWith('server/features/'))
  const count = (test: (source: Source) => boolean, from = server) => from.filter(test).length
  const sum = (of: (source: Source) => number, from = sources) =>
    from.reduce((total, each) => total + of(each), 0)

  const matches = (pattern: RegExp, from: Source[]) =>
    sum(({ text }) => text.match(pattern)?.length ?? 0, from)
  const variables = everything.filter(({ path }) => /^server\/config[-/]variables\.ts$/.test(path))

  const imports = importsOf(server)
  const upward = upwardImports(imports)
  const between = featureImports(imports)
  const circles = featureCircles(imports)
  const fileCircles = circlesOf(importsOf(readSources(root, FOLDERS))).filter((circle) =>
    circle.some((path) => path.startsWith(under)),
  )
  const functions = sources.flatMap(({ path, functions }) =>
    functions.map((each) => ({ ...each, place: `${path}:${each.line}` })),
  )
  const declared = Map.groupBy(
    everything.flatMap(({ path, exportedTypes }) => exportedTypes.map((name) => ({ name, path }))),
    ({ name }) => name,
  )
  const ambiguous = [...declared].filter(([, places]) => places.length > 1)

  const figures = new Map<string, number | string>([
    ['files of the server', server.length],
    ['lines of the server', sum(({ lines }) => lines, server)],
    ['folders of the server', new Set(server.map(({ path }) => dirname(path))).size],
    ['optional features', new Set(optional.map(({ path }) => featureOf(path))).size],
    ['lines of optional features', sum(({ lines }) => lines, optional)],
    ['endpoints', matches(/^export const \w+ = endpoint\(/gm, everything)],
    ['tables', matches(/\bpgTable\(/g, everything)],
    ['variables of the configuration', matches(/^ {2}SVC_\w+: /gm, variables)],
    ['median lines of a file', median(server.map(({ lines }) => lines))],
    ['files of 15 lines or fewer', count(({ lines }) => lines <= 15)],
    ['files of 30 lines or fewer', count(({ lines }) => lines <= 30)],
    ['files over 250 lines', count(({ lines }) => lines > 250)],
    ['files of shared, cli, mcp, console', sources.length - server.length],
    [
      'lines of shared, cli, mcp, console',
      sum(({ lines }) => lines) - sum(({ lines }) => lines, server),
    ],
    ['imports of a higher domain', upward.length],
    ['circles of features', circles.length],
    ['features in a circle', circles.flat().length],
    ['circles of files', fileCircles.length],
    ['files in a circle', fileCircles.flat().length],
    ['casts', sum(({ casts }) => casts)],
    ['casts through another type', sum(({ doubleCasts }) => doubleCasts)],
    ['functions over 60 lines', functions.filter(({ lines }) => lines > 60).length],
    ['functions over 100 lines', functions.filter(({ lines }) => lines > 100).length],
    [
      'functions of five or more parameters',
      functions.filter(({ parameters }) => parameters > 4).length,
    ],
    [
      'types named after the function that returns them',
      sum(({ text }) => text.match(/ReturnType<typeof|Parameters<typeof/g)?.length ?? 0),
    ],
    ['exported types with one name in several files', ambiguous.length],
  ])
  const details = [
    ...circles.flatMap((group) => [
      `circle: ${group.join(', ')}`,
      ...between
        .filter(({ from, to }) => group.includes(featureOf(from)) && group.includes(featureOf(to)))
        .map(({ from, to }) => `  ${from} -> ${to}`),
    ]),
    ...fileCircles.map((circle) => `circle of files: ${circle.join(', ')}`),
    ...upward.map(({ from, to }) => `upward: ${from} -> ${to}`),
    ...functions
      .filter(({ lines, parameters }) => lines > 60 || parameters > 4)
      .map(
        ({ place, lines, parameters }) =>
          `function: ${place}, ${lines} lines, ${parameters} parameters`,
      ),
    ...ambiguous
      .filter(([, places]) => places.some(({ path }) => path.startsWith(under)))
      .map(([name, places]) => `name: ${name} in ${places.map(({ path }) => path).join(', ')}`),
  ]
  if (under === '') addTouched(root, everything, figures)
  return { figures, details }
}

/** Files outside of tests that name an existing endpoint, tool, provider or tier. One more touches as many. */
const addTouched = (root: string, everything: Source[], figures: Measured['figures']) => {
  const docs = [...new Glob('{*.md,docs/{how-to,reference}/*.md}').scanSync(root)].map((path) => ({
    text: readFileSync(join(root, path), 'utf8'),
  }))
  const within = (pattern: RegExp) => everything.filter(({ path }) => pattern.test(path))
  const namesIn = (files: Source[], pattern: RegExp) =>
    files.flatMap(({ text }) => [...text.matchAll(pattern)].map((match) => match[1] ?? ''))
  const backend = within(/^(server|shared)\//)
  const endpoints = namesIn(within(/^shared\/contract\//), /^export const (\w+) = endpoint\(/gm)
  const tools = namesIn(within(/^mcp\/tools\//), /\bname: '(\w+)'/g)
  const mcp = [...within(/^(mcp|server\/mcp)\//), ...docs]
  const ofMany = (names: string[], files: { text: string }[]) =>
    median(names.map((name) => filesNaming(files, new RegExp(`\\b${name}\\b`))))
  figures.set('files that name an endpoint', ofMany(endpoints, backend))
  figures.set('files that name an MCP tool', ofMany(tools, mcp))
  const provider = /'github'|\/github\.ts'|GITHUB_CLIENT|GitHub/
  figures.set('files that name a sign-in provider', filesNaming([...backend, ...docs], provider))
  figures.set('files that name a tier', filesNaming([...backend, ...docs], /\bawakened\b/))
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { base: { type: 'string' } },
})
const under = positionals[0] ?? ''
const { figures, details } = measure(ROOT, under)

const measureCommit = async (commit: string) => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-structure-'))
  try {
    await Bun.$`git archive ${commit} | tar -x -C ${directory}`.cwd(ROOT).quiet()
    return measure(directory, under).figures
  } finally {
    rmSync(directory, { recursive: true })
  }
}
const before = values.base ? await measureCommit(values.base) : undefined

const width = Math.max(...[...figures.keys()].map((name) => name.length))
if (before) console.log(`${''.padEnd(width)}  ${'before'.padStart(8)}  ${'after'.padStart(8)}`)
for (const [name, figure] of figures) {
  const columns = before ? [before.get(name) ?? '', figure] : [figure]
  console.log([name.padEnd(width), ...columns.map((each) => String(each).padStart(8))].join('  '))
}
if (under) console.log(['', ...details].join('\n'))
