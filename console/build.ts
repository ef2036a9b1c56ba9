/**
 * Builds the console: `bun console/build.ts [DIRECTORY]`. Default: where the server finds it. Writes the scripts and styles under names with a
 * hash of their content, compressed only, and `manifest.json` (`ConsoleManifest`).
 */
import { mkdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { LANGUAGES, type Language } from '../shared/languages.ts'
import { CACHE_DIRECTORY, sourceKey } from './source-key.ts'
import { translate } from './translation.ts'

/** File names of the entry points. */
export interface ConsoleEntries {
  script: string
  /** The scripts that the first screen needs beside the entry point. */
  home: string[]
  /** The service worker. */
  worker: string
}

export interface ConsoleManifest {
  style: string
  /** The source of the script that requests the access token: the page has it inline. */
  start: string
  /** Each language has scripts with its texts. */
  languages: Record<Language, ConsoleEntries>
  /** All file names, without the extensions of the compressed variants, which exist alone. */
  files: string[]
}

/** The language of the sources in `texts/`. */
const [SOURCE_LANGUAGE] = LANGUAGES

const sourceOf = (name: string) => join(import.meta.dir, name)

/** Replaces TypeBox. */
export const contractSchemas: Bun.BunPlugin = {
  name: 'contract-schemas',
  setup(build) {
    build.onResolve({ filter: /^@sinclair\/typebox$/ }, () => ({
      path: sourceOf('contract-schemas.ts'),
    }))
  },
}

interface BundleOptions {
  /** `iife` for a classic script. */
  format?: 'esm' | 'iife'
  define?: Record<string, string>
  language?: Language
}

/** @throws AggregateError with the messages of the bundler. */
const bundle = async (
  entrypoints: string[],
  { define, format = 'esm', language = SOURCE_LANGUAGE }: BundleOptions = {},
): Promise<Bun.BuildArtifact[]> => {
  const built = await Bun.build({
    entrypoints: entrypoints.map(sourceOf),
    target: 'browser',
    format,
    splitting: format === 'esm',
    minify: true,
    naming: {
      entry: '[name]-[hash].[ext]',
      // A chunk can get the name of the entry point, which the manifest looks for.
      chunk: 'chunk-[name]-[hash].[ext]',
      asset: '[name]-[hash].[ext]',
    },
    define: { 'process.env.NODE_ENV': '"production"', ...define },
    tsconfig: sourceOf('tsconfig.json'),
    plugins: [contractSchemas, ...(language === SOURCE_LANGUAGE ? [] : [translate(language)])],
  })
  return built.outputs
}

const namesOf = (outputs: readonly Bun.BuildArtifact[]) => outputs.map(({ path }) => basename(path))

interface Bundles {
  outputs: Bun.BuildArtifact[]
  entries: ConsoleEntries
}

/** The page in a language. A file that others name is built before them. */
const bundlePage = async (language: Language, shared: Bun.BuildArtifact[]): Promise<Bundles> => {
  const [layout] = namesOf(shared)
  const define = { LAYOUT_WORKER_FILE: JSON.stringify(layout) }
  const page = await bundle(['main.tsx'], { language, define })
  const files = namesOf([...shared, ...page])
  const worker = await bundle(['service-worker.ts'], {
    define: {
      CONSOLE_FILES: JSON.stringify(files),
      CONSOLE_VERSION: JSON.stringify(Bun.hash(files.toSorted().join()).toString(16)),
    },
  })
  const script = entryOf(page, 'main')
  const home = await withImports(page, /^chunk-home-\w+\.js$/)
  return {
    outputs: [...page, ...worker],
    entries: {
      script,
      home: home.filter((name) => name !== script),
      worker: entryOf(worker, 'service-worker'),
    },
  }
}

const entryOf = (outputs: readonly Bun.BuildArtifact[], name: string): string => {
  const entry = namesOf(outputs).find((file) => file.startsWith(`${name}-`))
  if (entry === undefined) throw new Error(`The bundler wrote no ${name}`)
  return entry
}

/** The scripts of a pattern and those that they import, without `import()`. @throws if there is none. */
const withImports = async (
  outputs: readonly Bun.BuildArtifact[],
  pattern: RegExp,
): Promise<string[]> => {
  const sources = new Map(outputs.map((output) => [basename(output.path), output]))
  const found = new Set(namesOf(outputs).filter((name) => pattern.test(name)))
  if (found.size === 0) throw new Error(`The bundler wrote no ${pattern}`)
  for (const name of found) {
    const source = (await sources.get(name)?.text()) ?? ''
    for (const [, imported = ''] of source.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g))
      found.add(imported)
  }
  return [...found]
}

const writeCompressed = async (path: string, content: Uint8Array<ArrayBuffer>): Promise<void> => {
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  await Bun.write(`${path}.br`, brotliCompressSync(content, { params: quality }))
  await Bun.write(`${path}.gz`, gzipSync(content, { level: 9 }))
}

const writeBuild = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true })
  const layout = await bundle(['areas/graph/layout-worker.ts'])
  const style = await bundle(['styles/main.css'])
  const [script] = await bundle(['start.ts'], { format: 'iife' })
  const start = (await script?.text()) ?? ''
  const shared = [...layout, ...style]
  // Scripts without texts are the same files in each language.
  const outputs = new Map(shared.map((output) => [basename(output.path), output]))
  const languages: Partial<ConsoleManifest['languages']> = {}
  for (const language of LANGUAGES) {
    const page = await bundlePage(language, shared)
    for (const output of page.outputs) outputs.set(basename(output.path), output)
    languages[language] = page.entries
  }
  for (const [name, output] of outputs)
    await writeCompressed(join(directory, name), new Uint8Array(await output.arrayBuffer()))
  const manifest = {
    style: entryOf(style, 'main'),
    start: start.trim(),
    languages,
    files: [...outputs.keys()],
  }
  await Bun.write(join(directory, 'manifest.json'), JSON.stringify(manifest))
}

/** Builds into a temporary directory and renames it, so that a directory that exists is complete. */
export const buildConsole = async (directory: string): Promise<void> => {
  const temporary = `${directory}.${process.pid}`
  try {
    await writeBuild(temporary)
    // Another process may have built the same files at the same time.
    await rename(temporary, directory).catch(() => {})
  } finally {
    // A failed build, as on a full disk, leaves nothing: each request of the console tries again.
    await rm(temporary, { recursive: true, force: true })
  }
}

if (import.meta.main) await buildConsole(process.argv[2] ?? join(CACHE_DIRECTORY, sourceKey()))
