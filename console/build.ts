/**
 * Builds the console: `bun console/build.ts [DIRECTORY]`. Default: where the server finds it. Writes the scripts and styles under names with a
 * hash of their content, each also compressed, and `manifest.json` (`ConsoleManifest`).
 */
import { mkdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { CACHE_DIRECTORY, sourceKey } from './source-key.ts'

export interface ConsoleManifest {
  /** File names of the entry points. */
  script: string
  style: string
  /** The service worker, whose name does not change. */
  worker: string
  /** All file names, without the compressed variants. */
  files: string[]
}

const sourceOf = (name: string) => join(import.meta.dir, name)

/** @throws AggregateError with the messages of the bundler. */
const bundle = async (
  entrypoints: string[],
  define: Record<string, string> = {},
): Promise<Bun.BuildArtifact[]> => {
  const built = await Bun.build({
    entrypoints: entrypoints.map(sourceOf),
    target: 'browser',
    format: 'esm',
    splitting: true,
    minify: true,
    naming: {
      entry: '[name]-[hash].[ext]',
      // A chunk can get the name of the entry point, which the manifest looks for.
      chunk: 'chunk-[name]-[hash].[ext]',
      asset: '[name]-[hash].[ext]',
    },
    define: { 'process.env.NODE_ENV': '"production"', ...define },
    tsconfig: sourceOf('tsconfig.json'),
  })
  return built.outputs
}

const namesOf = (outputs: readonly Bun.BuildArtifact[]) => outputs.map(({ path }) => basename(path))

/** A file that others name is built before them. */
const bundleAll = async (): Promise<Bun.BuildArtifact[]> => {
  const layout = await bundle(['areas/graph/layout-worker.ts'])
  const page = await bundle(['main.tsx', 'styles/main.css'], {
    LAYOUT_WORKER_FILE: JSON.stringify(namesOf(layout)[0]),
  })
  const files = namesOf([...layout, ...page])
  const worker = await bundle(['service-worker.ts'], {
    CONSOLE_FILES: JSON.stringify(files),
    CONSOLE_VERSION: JSON.stringify(Bun.hash(files.toSorted().join()).toString(16)),
  })
  return [...layout, ...page, ...worker]
}

const writeCompressed = async (path: string, content: Uint8Array<ArrayBuffer>): Promise<void> => {
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  await Bun.write(path, content)
  await Bun.write(`${path}.br`, brotliCompressSync(content, { params: quality }))
  await Bun.write(`${path}.gz`, gzipSync(content, { level: 9 }))
}

const writeBuild = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true })
  const outputs = await bundleAll()
  for (const output of outputs)
    await writeCompressed(
      join(directory, basename(output.path)),
      new Uint8Array(await output.arrayBuffer()),
    )
  const files = namesOf(outputs)
  const entry = (pattern: RegExp) => files.find((file) => pattern.test(file)) ?? ''
  const manifest: ConsoleManifest = {
    script: entry(/^main-\w+\.js$/),
    style: entry(/^main-\w+\.css$/),
    worker: entry(/^service-worker-\w+\.js$/),
    files,
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
