import { accessSync, constants, mkdirSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConsoleManifest } from '../../../console/build.ts'
import { BUILD_SCRIPT, CACHE_DIRECTORY, sourceKey } from '../../../console/source-key.ts'
import { isRelease, repositoryFile } from '../../platform/files.ts'

export interface ConsoleAssets {
  manifest: ConsoleManifest
  directory: string
}

/** Where a build is stored: in the data directory if the packages are read-only. */
const writableCache = (dataDir: string): string => {
  try {
    mkdirSync(CACHE_DIRECTORY, { recursive: true })
    accessSync(CACHE_DIRECTORY, constants.W_OK)
    return CACHE_DIRECTORY
  } catch {
    return join(dataDir, 'console')
  }
}

/** A child process builds, so that the memory that the bundler needs is free again afterwards. */
const build = async (directory: string): Promise<void> => {
  const child = Bun.spawn([process.execPath, BUILD_SCRIPT, directory], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const [output, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
  if (code !== 0) throw new Error(`The build of the console failed: ${output.trim()}`)
}

const removeOthers = async (cache: string, key: string): Promise<void> => {
  for (const name of readdirSync(cache))
    if (!name.startsWith(key)) await rm(join(cache, name), { recursive: true, force: true })
}

const readManifest = async (directory: string): Promise<ConsoleManifest | undefined> => {
  const file = Bun.file(join(directory, 'manifest.json'))
  return (await file.exists()) ? file.json() : undefined
}

/** A release has no sources to build from. */
const loadReleased = async (): Promise<ConsoleAssets> => {
  const directory = repositoryFile('console/build')
  const manifest = await readManifest(directory)
  if (!manifest) throw new Error(`${directory} is missing; unpack the release again`)
  return { directory, manifest }
}

const load = async (dataDir: string): Promise<ConsoleAssets> => {
  if (isRelease) return loadReleased()
  const key = sourceKey()
  for (const cache of [CACHE_DIRECTORY, join(dataDir, 'console')]) {
    const directory = join(cache, key)
    const manifest = await readManifest(directory)
    if (manifest) return { directory, manifest }
  }
  const cache = writableCache(dataDir)
  const directory = join(cache, key)
  await build(directory)
  await removeOthers(cache, key)
  const manifest = await readManifest(directory)
  if (!manifest) throw new Error('The build of the console has no manifest')
  return { directory, manifest }
}

/**
 * Returns the built console. The first request builds it if no build of these sources exists.
 * @throws Error with the output of a failed build; the next call tries again.
 */
export const createConsoleAssets = (dataDir: string): (() => Promise<ConsoleAssets>) => {
  let loading: Promise<ConsoleAssets> | undefined
  return () => {
    loading ??= load(dataDir).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}
