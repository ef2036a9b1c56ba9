import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { buildNpmPackage, type NpmPackage } from '../../scripts/npm-package.ts'
import { ROOT } from '../harness/base.ts'
import { temporaryDirectory } from '../harness/temporary.ts'

/** Runs a command. @throws Error with its output unless it succeeds. */
export const run = async (
  cwd: string,
  command: string[],
  env: Record<string, string> = {},
): Promise<string> => {
  const child = Bun.spawn(command, {
    cwd,
    // Bun would keep its cache of transpiled files in the home directory.
    env: { PATH: process.env.PATH, HOME: cwd, BUN_RUNTIME_TRANSPILER_CACHE_PATH: '0', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()])
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}\n${output}${errors}`)
  return output
}

/** Programs of this repository's packages. */
export const binOf = (name: string): string => join(ROOT, 'node_modules/.bin', name)

interface Archive {
  /** The archive of `npm pack`. */
  path: string
  built: NpmPackage
  /** Beside the projects. */
  directory: string
}

let packed: Promise<Archive> | undefined

/** The package as npm would publish it, built once for all tests of a process. */
export const packedClient = (): Promise<Archive> => {
  packed ??= pack()
  return packed
}

const pack = async (): Promise<Archive> => {
  const directory = temporaryDirectory('svc-npm')
  const contents = join(directory, 'package')
  const built = await buildNpmPackage(contents)
  const output = await run(directory, ['npm', 'pack', contents, '--silent'])
  // Projects find the packages that an app has beside svc-client in the folder above them.
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  return { path: join(directory, output.trim()), built, directory }
}

let projects = 0

/** An empty project in which a package manager has installed the archive. */
export const createProject = async (
  manager: 'npm' | 'bun',
): Promise<{ directory: string; write(name: string, content: string): Promise<number> }> => {
  const { path, directory: base } = await packedClient()
  const directory = join(base, `project-${projects++}`)
  await mkdir(directory)
  const write = (name: string, content: string) => Bun.write(join(directory, name), content)
  await write('package.json', '{"name":"app","private":true,"type":"module"}')
  const install =
    manager === 'npm'
      ? ['npm', 'install', '--offline', '--no-audit', '--no-fund', path]
      : [process.execPath, 'add', path]
  await run(directory, install, manager === 'bun' ? { BUN_BE_BUN: '1' } : {})
  return { directory, write }
}
