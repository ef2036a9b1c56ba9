import { describe, expect, test } from 'bun:test'
import { builtinModules } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Glob } from 'bun'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const ROOTS = ['server', 'cli', 'mcp', 'shared']

interface Source {
  path: string
  text: string
  /** Packages by name, files by their path from the root. */
  imports: string[]
}

const transpiler = new Bun.Transpiler({ loader: 'ts' })
/** Type imports vanish when code is compiled, and count here all the same. */
const IMPORT = /^\s*(?:import|export)\s(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]/gm

const read = async (path: string): Promise<Source> => {
  const text = await Bun.file(join(ROOT, path)).text()
  const named = [...text.matchAll(IMPORT)].map((match) => match[1] ?? '')
  const loaded = transpiler.scanImports(text.replace(/^#!.*/, '')).map((found) => found.path)
  const imports = [...new Set([...named, ...loaded])].map((name) =>
    name.startsWith('.') ? normalize(join(dirname(path), name)) : name,
  )
  return { path, text, imports }
}

const sources: Source[] = await Promise.all(
  ROOTS.flatMap((root) => [...new Glob(`${root}/**/*.{ts,tsx}`).scanSync(ROOT)].map(read)),
)

/** Every import of a file that `allowed` does not let through, as `file imports what`. */
const offences = (files: (path: string) => boolean, forbidden: (name: string) => boolean) =>
  sources
    .filter(({ path }) => files(path))
    .flatMap(({ path, imports }) =>
      imports.filter(forbidden).map((name) => `${path} imports ${name}`),
    )

const isBuiltin = (name: string) =>
  name.startsWith('node:') || name.startsWith('bun:') || builtinModules.includes(name)
const isFile = (name: string) => ROOTS.some((root) => name.startsWith(`${root}/`))
const isPackage = (name: string) => !isBuiltin(name) && !isFile(name) && !name.endsWith('.json')

test('the sources were found', () => {
  expect(sources.length).toBeGreaterThan(40)
  expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(100)
})

describe('imports go one way', () => {
  test('shared knows TypeBox and itself alone', () => {
    expect(
      offences(
        (path) => path.startsWith('shared/'),
        (name) => !name.startsWith('shared/') && !/^@sinclair\/typebox(\/|$)/.test(name),
      ),
    ).toEqual([])
  })

  test('the terminal and MCP reach the server over HTTP only, not by a type of it', () => {
    expect(
      offences(
        (path) => /^(cli|mcp)\//.test(path),
        (name) => name.startsWith('server/'),
      ),
    ).toEqual([])
  })

  test('the server knows neither the terminal nor MCP, save where it serves the MCP tools itself', () => {
    expect(
      offences(
        (path) => path.startsWith('server/'),
        (name) => /^(cli|tests|bench)\//.test(name),
      ),
    ).toEqual([])
    expect(
      offences(
        (path) => path.startsWith('server/') && !path.startsWith('server/mcp/endpoint/'),
        (name) => name.startsWith('mcp/'),
      ),
    ).toEqual([])
  })

  test('what serves the MCP tools takes nothing of the program that serves them on its own', () => {
    expect(
      offences(
        (path) =>
          path.startsWith('server/mcp/') || /^mcp\/(?!main\.ts|config\.ts|stdio\/)/.test(path),
        (name) => /^mcp\/(main\.ts|config\.ts|stdio\/)/.test(name),
      ),
    ).toEqual([])
  })

  test('the platform knows no domain', () => {
    expect(
      offences(
        (path) => path.startsWith('server/platform/'),
        (name) => name.startsWith('server/') && !name.startsWith('server/platform/'),
      ),
    ).toEqual([])
  })

  test('a domain does not reach up to what assembles it', () => {
    expect(
      offences(
        (path) => /^server\/\w+\/\w+\//.test(path),
        (name) => /^server\/[\w-]+\.ts$/.test(name),
      ),
    ).toEqual([])
  })

  test('a route asks its service, never a store', () => {
    expect(
      offences(
        (path) => /^server\/.*\/(routes|pages)\.ts$/.test(path),
        (name) => /\/(store|table)\.ts$/.test(name),
      ),
    ).toEqual([])
  })

  test('a domain asks the services of another, never its stores', () => {
    const domainOf = (path: string) => /^server\/(\w+)\//.exec(path)?.[1]
    const crossing = sources.flatMap(({ path, imports }) =>
      imports
        .filter((name) => /store\.ts$/.test(name) && domainOf(name) !== domainOf(path))
        .map((name) => `${path} imports ${name}`),
    )
    expect(crossing).toEqual([])
  })

  test('a store decides nothing: it knows no service, and no error of the API', () => {
    expect(
      offences(
        (path) => path.endsWith('/store.ts'),
        (name) => /\/(service|routes)\.ts$/.test(name) || name === 'server/platform/http/error.ts',
      ),
    ).toEqual([])
    const throwing = sources.filter(
      ({ path, text }) => path.endsWith('/store.ts') && /\bApiError\b/.test(text),
    )
    expect(throwing.map(({ path }) => path)).toEqual([])
  })

  test('what is imported is a dependency that package.json names', async () => {
    const { dependencies } = await Bun.file(join(ROOT, 'package.json')).json()
    const typesOnly = ['openapi-types', 'bun']
    const known = new Set([...Object.keys(dependencies), ...typesOnly])
    const packageOf = (name: string) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/')
    expect(
      offences(
        () => true,
        (name) => isPackage(name) && !known.has(packageOf(name)),
      ),
    ).toEqual([])
  })
})

test('the environment is read in the config files, and by the entry that hands it to them', () => {
  const reading = sources.filter(({ text }) =>
    /\b(process|Bun)\.env\b|import\.meta\.env/.test(text),
  )
  const elsewhere = reading.filter(
    ({ path }) => !/^(server|cli|mcp)\/(config|main)\.ts$/.test(path),
  )
  expect(elsewhere.map(({ path }) => path)).toEqual([])
})

test('no type is talked out of: no any, no non-null mark, no ignore comment', () => {
  const marks = /\bas any\b|: any\b|<any>|@ts-(ignore|expect-error|nocheck)|biome-ignore/
  expect(sources.filter(({ text }) => marks.test(text)).map(({ path }) => path)).toEqual([])
})
