import { cpSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Glob } from 'bun'
import type { Target } from './targets.ts'

export const ROOT = join(import.meta.dir, '../..')

/**
 * Installs the production packages of a target in `directory`. Bun checks the integrity of each package
 * against `bun.lock`. Install scripts belong to the host, so none runs.
 * @returns the directory of the packages.
 */
export const installPackages = async (target: Target, directory: string): Promise<string> => {
  const packages = await install(ROOT, target, directory)
  if (target.os === 'linux') await addNativeRuntime(target, directory, packages)
  return packages
}

/** Installs the packages of a manifest and its lock. */
const install = async (from: string, target: Target, directory: string): Promise<string> => {
  for (const name of ['package.json', 'bun.lock', 'patches'].filter((each) =>
    existsSync(join(from, each)),
  ))
    cpSync(join(from, name), join(directory, name), { recursive: true })
  const child = Bun.spawn(
    [
      ...[process.execPath, 'install', '--frozen-lockfile', '--production', '--ignore-scripts'],
      ...['--os', target.os, '--cpu', target.arch],
    ],
    { cwd: directory, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
  )
  const [output, code] = await Promise.all([child.stderr.text(), child.exited])
  if (code !== 0) throw new Error(`bun install failed: ${output}`)
  return join(directory, 'node_modules')
}

/** The manifest of the native ONNX Runtime. */
export const NATIVE_RUNTIME = join(ROOT, 'scripts/release/native')
const RUNTIME_PACKAGE = 'onnxruntime-node'

/**
 * Adds the native ONNX Runtime, which encodes in a third of the time. A clone does without it, because the package
 * has the libraries of all systems, 110 MB to download; a release has that of its system.
 */
const addNativeRuntime = async (
  target: Target,
  directory: string,
  packages: string,
): Promise<void> => {
  const installed = await install(NATIVE_RUNTIME, target, join(directory, 'native'))
  const source = join(installed, RUNTIME_PACKAGE)
  const library = join('bin/napi-v6', target.os, target.arch)
  const isNeeded = (path: string) =>
    [library, 'dist', 'package.json'].some(
      (each) => path === each || path.startsWith(`${each}/`) || each.startsWith(`${path}/`),
    )
  cpSync(source, join(packages, RUNTIME_PACKAGE), {
    recursive: true,
    filter: (path) => path === source || isNeeded(relative(source, path)),
  })
}

interface Manifest {
  name: string
  version: string
  license?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

export const manifestOf = (packages: string, name: string): Manifest =>
  JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'))

/** A package and the installed packages that it depends on. */
export const withDependencies = (packages: string, name: string): string[] => {
  const found = new Set<string>()
  const visit = (each: string): void => {
    if (found.has(each) || !existsSync(join(packages, each))) return
    found.add(each)
    const { dependencies, optionalDependencies } = manifestOf(packages, each)
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) visit(next)
  }
  visit(name)
  return [...found]
}

export interface InstalledPackage extends Manifest {
  directory: string
}

/** Those that another package has for itself are in its own `node_modules`. */
const MANIFESTS = ['', '**/node_modules/'].flatMap((at) => [
  `${at}*/package.json`,
  `${at}@*/*/package.json`,
])

/** All installed packages, each version once, in the order of their directories. */
export const installedPackages = (packages: string): InstalledPackage[] => {
  const directories = MANIFESTS.flatMap((pattern) => [
    ...new Glob(pattern).scanSync({ cwd: packages }),
  ])
    .map(dirname)
    .sort()
  const installed = directories.map((directory) => ({
    ...manifestOf(packages, directory),
    directory,
  }))
  return [...new Map(installed.map((each) => [`${each.name}@${each.version}`, each])).values()]
}
