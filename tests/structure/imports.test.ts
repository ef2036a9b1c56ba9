import { describe, expect, test } from 'bun:test'
import { builtinModules } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Glob } from 'bun'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const ROOTS = ['server', 'cli', 'mcp', 'shared', 'console', 'clients']

interface Source {
  path: string
  text: string
  /** Packages by name, files by their path from the root. */
  imports: string[]
}

const transpilers = {
  ts: new Bun.Transpiler({ loader: 'ts' }),
  tsx: new Bun.Transpiler({ loader: 'tsx' }),
}
/** Type imports vanish when code is compiled, and count here too. */
const IMPORT = /^\s*(?:import|export)\s(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]/gm

const read = async (path: string): Promise<Source> => {
  const text = await Bun.file(join(ROOT, path)).text()
  const named = [...text.matchAll(IMPORT)].map((match) => match[1] ?? '')
  const transpiler = path.endsWith('x') ? transpilers.tsx : transpilers.ts
  const loaded = transpiler.scanImports(text.replace(/^#!.*/, '')).map((found) => found.path)
  const imports = [...new Set([...named, ...loaded])].map((name) =>
    name.startsWith('.') ? normalize(join(dirname(path), name)) : name,
  )
  return { path, text, imports }
}

const sources: Source[] = await Promise.all(
  ROOTS.flatMap((root) => [...new Glob(`${root}/**/*.{ts,tsx}`).scanSync(ROOT)].map(read)),
)

/** Every import of a file that `allowed` does not accept, as `file imports target`. */
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

test('the scan finds the source files', () => {
  expect(sources.length).toBeGreaterThan(40)
  expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(100)
})

describe('import rules', () => {
  test('shared imports TypeBox and itself only, and the detector of secrets', () => {
    expect(
      offences(
        (path) => path.startsWith('shared/') && path !== 'shared/secrets.ts',
        (name) => !name.startsWith('shared/') && !/^@sinclair\/typebox(\/|$)/.test(name),
      ),
    ).toEqual([])
    expect(
      offences(
        (path) => path === 'shared/secrets.ts',
        (name) => !/^@secretlint\/[\w-]+$|^shared\/secrets\/[\w-]+\.ts$/.test(name),
      ),
    ).toEqual([])
  })

  test('the packages for clients import shared and themselves only', () => {
    expect(
      offences(
        (path) => path.startsWith('clients/'),
        (name) => /^(server|cli|mcp|console)\//.test(name),
      ),
    ).toEqual([])
  })

  test('one place opens and writes the files of a synced folder, without following links', () => {
    const reaching = sources.filter(
      ({ path, text }) =>
        path.startsWith('cli/sync/') &&
        !['cli/sync/files.ts', 'cli/sync/folder.ts'].includes(path) &&
        /^import (?!type |\{ watch \}).*'(?:node:)?fs(?:\/promises)?'|\bBun\.(?:file|write|Glob|spawn)|\brequire\(/m.test(
          text,
        ),
    )
    expect(reaching.map(({ path }) => path)).toEqual([])
  })

  test('only `svc serve` and the operations on the database import the server', () => {
    expect(
      offences(
        (path) =>
          /^(cli|mcp)\//.test(path) &&
          !['cli/commands/serve.ts', 'cli/commands/admin/operation.ts'].includes(path),
        (name) => name.startsWith('server/'),
      ),
    ).toEqual([])
  })

  test('the server imports neither the CLI nor MCP, except where it serves the MCP tools', () => {
    expect(
      offences(
        (path) => path.startsWith('server/'),
        (name) => /^(cli|tests|bench)\//.test(name),
      ),
    ).toEqual([])
    expect(
      offences(
        (path) => path.startsWith('server/') && !path.startsWith('server/mcp/'),
        (name) => name.startsWith('mcp/'),
      ),
    ).toEqual([])
  })

  test('the MCP tool modules do not import the standalone MCP server', () => {
    expect(
      offences(
        (path) =>
          path.startsWith('server/mcp/') || /^mcp\/(?!main\.ts|config\.ts|stdio\/)/.test(path),
        (name) => /^mcp\/(main\.ts|config\.ts|stdio\/)/.test(name),
      ),
    ).toEqual([])
  })

  test('the platform imports no domain', () => {
    expect(
      offences(
        (path) => path.startsWith('server/platform/'),
        (name) => name.startsWith('server/') && !name.startsWith('server/platform/'),
      ),
    ).toEqual([])
  })

  test('only features import the files that assemble the server', () => {
    // The files below the root of a domain or of an optional feature.
    const isWithin = (path: string) =>
      /^server\/(?:features\/[\w-]+|(?!features\/)[\w-]+)\/[\w-]+\//.test(path)
    expect(
      offences(
        (path) => isWithin(path) && !path.endsWith('/feature.ts'),
        (name) => /^server\/[\w-]+\.ts$/.test(name),
      ),
    ).toEqual([])
  })

  test('a route imports its service, never a store', () => {
    expect(
      offences(
        (path) => /^server\/.*\/(routes|pages)\.ts$/.test(path),
        (name) => /(?:^|[/-])store\.ts$|\/table\.ts$/.test(name),
      ),
    ).toEqual([])
  })

  test('a domain imports the services of another, never its stores', () => {
    const domainOf = (path: string) => /^server\/(\w+)\//.exec(path)?.[1]
    const crossing = sources.flatMap(({ path, imports }) =>
      imports
        .filter((name) => /store\.ts$/.test(name) && domainOf(name) !== domainOf(path))
        .map((name) => `${path} imports ${name}`),
    )
    expect(crossing).toEqual([])
  })

  test('a store imports no service and no API error', () => {
    expect(
      offences(
        (path) => /[/-]store\.ts$/.test(path),
        (name) => /\/(service|routes)\.ts$/.test(name) || name === 'server/platform/http/error.ts',
      ),
    ).toEqual([])
    const throwing = sources.filter(
      ({ path, text }) => /[/-]store\.ts$/.test(path) && /\bApiError\b/.test(text),
    )
    expect(throwing.map(({ path }) => path)).toEqual([])
  })

  test('every imported package is a dependency in package.json', async () => {
    const { dependencies, optionalDependencies } = await Bun.file(join(ROOT, 'package.json')).json()
    const typesOnly = ['openapi-types', 'bun', '@ai-sdk/provider']
    // The examples of the packages.
    const built = ['svc-client']
    const known = new Set([
      ...Object.keys({ ...dependencies, ...optionalDependencies }),
      ...typesOnly,
      ...built,
    ])
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

test('only config files and the entry file read the environment', () => {
  const reading = sources.filter(({ text }) =>
    /\b(process|Bun)\.env\b|import\.meta\.env/.test(text),
  )
  // The build of the console replaces the expression, which React contains, by a constant. Examples are apps.
  const elsewhere = reading.filter(
    ({ path }) =>
      !/^((server|cli|mcp)\/(config|main)|console\/build)\.ts$|^clients\/\w+\/examples\//.test(
        path,
      ),
  )
  expect(elsewhere.map(({ path }) => path)).toEqual([])
})

test('the server names its files through server/platform/files.ts, so that a release has them', () => {
  const naming = sources.filter(
    ({ path, text }) =>
      path.startsWith('server/') &&
      path !== 'server/platform/files.ts' &&
      /\bimport\.meta\b|\b__dirname\b/.test(text),
  )
  expect(naming.map(({ path }) => path)).toEqual([])
})

test('no source bypasses the type checker with any, a non-null assertion or an ignore comment', () => {
  const marks = /\bas (any|never)\b|: any\b|<any>|@ts-(ignore|expect-error|nocheck)|biome-ignore/
  expect(sources.filter(({ text }) => marks.test(text)).map(({ path }) => path)).toEqual([])
})
