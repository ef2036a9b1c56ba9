import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { CliEnvironment } from '../../config.ts'
import { openCredentials } from '../../credentials.ts'
import { CliError } from '../../errors.ts'
import { openProfilesFile } from '../../settings.ts'
import { type Check, failed, ok, warning } from './check.ts'

/** Checks that the files of svc are readable, and only by their owner. */
export const checkFiles = ({ configDir }: CliEnvironment): Check[] => [
  checkDirectory(configDir),
  checkFile('credentials', join(configDir, 'credentials.json'), () =>
    openCredentials(configDir).list(),
  ),
  checkFile('settings', join(configDir, 'config.json'), () => openProfilesFile(configDir).read()),
]

const checkDirectory = (dir: string): Check => {
  if (!existsSync(dir)) return ok('directory', `${dir} does not exist yet; svc login creates it`)
  const { mode } = statSync(dir)
  if (mode & 0o077 && process.platform !== 'win32')
    return warning('directory', `${dir} is accessible to other users`, `Run: chmod 700 ${dir}`)
  return ok('directory', dir)
}

const checkFile = (name: string, path: string, read: () => unknown): Check => {
  if (!existsSync(path)) return ok(name, `${path} does not exist yet`)
  // Reading the file repairs its mode, but other users may have read the key before.
  const wasOpen = statSync(path).mode & 0o077 && process.platform !== 'win32'
  try {
    read()
  } catch (error) {
    if (error instanceof CliError) return failed(name, error.message, error.hint)
    throw error
  }
  return wasOpen
    ? warning(
        name,
        `${path} was readable by other users`,
        'It is private again. If others may have read it, create new keys.',
      )
    : ok(name, path)
}
