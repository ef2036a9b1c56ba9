import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartError } from './operator-error.ts'

/** Whether this code runs in the executable of a release, not in a clone. */
export const isRelease = import.meta.path.startsWith('/$bunfs/')

/** The root of the clone. A release has the files that the server reads at the same paths in `lib`. */
const ROOT = isRelease
  ? join(dirname(realpathSync(process.execPath)), 'lib')
  : fileURLToPath(new URL('../../', import.meta.url))

/** @throws StartError if the executable was moved out of its release. */
export const checkFiles = (): void => {
  if (!existsSync(ROOT))
    throw new StartError(
      `svc serve needs the files of its release: ${ROOT} is missing; unpack the whole release, and link to its executable instead of copying it`,
    )
}

// `scripts/release.ts` finds the literal arguments of these functions and copies the files.

/** The path of a file or directory of the repository. */
export const repositoryFile = (path: string): string => join(ROOT, path)

/** The path of a TypeScript file that is started as a process or thread. A release has it as JavaScript. */
export const entryFile = (path: string): string =>
  join(ROOT, isRelease ? path.replace(/\.ts$/, '.js') : path)

/** The path of a file of a package, or of its main file. */
export const packageFile = (name: string): string => Bun.resolveSync(name, ROOT)
