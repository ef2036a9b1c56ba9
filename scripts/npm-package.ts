/**
 * Builds the npm package `svc-client` from `clients/npm` and the contract: `bun scripts/npm-package.ts OUT`. It prints the
 * size of each entry point. Equal sources make equal files.
 */
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { apiRows } from '../clients/npm/table.ts'
import { version } from '../package.json'
import { apiDeclarations } from './npm/declarations.ts'
import { emitDeclarations } from './npm/emit.ts'

const ROOT = resolve(import.meta.dir, '..')
const SOURCES = join(ROOT, 'clients/npm')
const ENTRIES = ['index', 'ai', 'react']

/** The largest sizes, minified and with all that the entry points import from the package, in bytes. */
export const MAX_BYTES: Readonly<Record<string, number>> = {
  'index.js': 32_000,
  'ai.js': 6_000,
  'react.js': 13_000,
}

export interface NpmPackage {
  version: string
  /** The size of each entry point with the files that it imports, in bytes. */
  sizes: Record<string, number>
}

/** Replaces files that read the contract by their values, so that the package has neither schemas nor TypeBox. */
const constants: Bun.BunPlugin = {
  name: 'constants',
  setup(build) {
    build.onLoad(
      { filter: /clients[\\/]npm[\\/](table|reason-table|tool-schemas)\.ts$/ },
      async ({ path }) => {
        const values = Object.entries<unknown>(await import(path))
        const lines = values.map(
          ([name, value]) => `export const ${name} = ${JSON.stringify(value)}`,
        )
        return { contents: lines.join('\n'), loader: 'js' }
      },
    )
  },
}

/** @throws AggregateError with the messages of the bundler. */
const bundle = async (outDir: string): Promise<void> => {
  await Bun.build({
    entrypoints: ENTRIES.map((name) => join(SOURCES, `${name}.ts`)),
    root: SOURCES,
    outdir: outDir,
    target: 'browser',
    format: 'esm',
    splitting: true,
    minify: true,
    external: ['ai', '@ai-sdk/provider', 'react'],
    naming: { entry: '[name].js', chunk: 'chunk-[hash].js' },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [constants],
  })
}

/** A script and all that it imports. */
const sizeOf = async (outDir: string, name: string, seen = new Set<string>()): Promise<number> => {
  if (seen.has(name)) return 0
  seen.add(name)
  const text = await readFile(join(outDir, name), 'utf8')
  const imports = [...text.matchAll(/["']\.\/([\w-]+\.js)["']/g)]
  const sizes = imports.map(([, imported = '']) => sizeOf(outDir, imported, seen))
  return Buffer.byteLength(text) + (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/**
 * Writes the package into a directory, ready for `npm pack`. The directory is emptied first.
 * @throws Error if the sources do not compile, or an entry point is larger than `MAX_BYTES`.
 */
export const buildNpmPackage = async (outDir: string): Promise<NpmPackage> => {
  await rm(outDir, { recursive: true, force: true })
  await mkdir(outDir, { recursive: true })
  await bundle(outDir)
  // Frameworks with server components load hooks in the browser only.
  const hooks = join(outDir, 'react.js')
  await writeFile(hooks, `'use client';${await readFile(hooks, 'utf8')}`)
  const declarations = await emitDeclarations(ENTRIES.map((name) => `${name}.ts`))
  declarations.set('api.d.ts', apiDeclarations(apiRows))
  for (const [name, text] of declarations) await writeFile(join(outDir, name), text)
  const template = JSON.parse(await readFile(join(SOURCES, 'package.json'), 'utf8'))
  const { name, ...fields } = template
  const manifest = JSON.stringify({ name, version, ...fields }, null, 2)
  await writeFile(join(outDir, 'package.json'), `${manifest}\n`)
  await cp(join(SOURCES, 'README.md'), join(outDir, 'README.md'))
  const scripts = (await readdir(outDir)).filter((file) => /^(?!chunk-).*\.js$/.test(file))
  const sizes: Record<string, number> = {}
  for (const script of scripts.toSorted()) {
    const bytes = await sizeOf(outDir, script)
    if (bytes > (MAX_BYTES[script] ?? 0))
      throw new Error(`${script} has ${bytes} bytes, more than ${MAX_BYTES[script]}`)
    sizes[script] = bytes
  }
  return { version, sizes }
}

if (import.meta.main) {
  const [outDir] = process.argv.slice(2)
  if (!outDir) throw new Error('Name a directory: bun scripts/npm-package.ts OUT')
  const { version: built, sizes } = await buildNpmPackage(resolve(outDir))
  console.log(`svc-client ${built}`)
  for (const [name, bytes] of Object.entries(sizes)) console.log(`${name}: ${bytes} bytes`)
}
