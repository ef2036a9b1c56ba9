import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../config.ts'
import { openCredentials } from '../../credentials.ts'
import { CliError } from '../../errors.ts'
import { openSettings } from '../../settings.ts'
import { type Check, failed, ok, warning } from './check.ts'

/** Looks at svc's own files: that they can be read, and by their owner alone. */
export const checkFiles = ({ configDir }: Environment): Check[] => [
  checkDirectory(configDir),
  checkFile('credentials', join(configDir, 'credentials.json'), () =>
    openCredentials(configDir).list(),
  ),
  checkFile('settings', join(configDir, 'config.json'), () => openSettings(configDir).read()),
]

const checkDirectory = (dir: string): Check => {
  if (!existsSync(dir)) return ok('directory', `${dir} is made by svc login`)
  const { mode } = statSync(dir)
  if (mode & 0o077 && process.platform !== 'win32')
    return warning('directory', `${dir} is open to others`, `Run: chmod 700 ${dir}`)
  return ok('directory', dir)
}

const checkFile = (name: string, path: string, read: () => unknown): Check => {
  if (!existsSync(path)) return ok(name, `${path} is not there yet`)
  // Reading mends this; that it was so is worth knowing all the same.
  const wasOpen = statSync(path).mode & 0o077 && process.platform !== 'win32'
  try {
    read()
  } catch (error) {
    if (error instanceof CliError) return failed(name, error.message, error.next)
    throw error
  }
  return wasOpen
    ? warning(
        name,
        `${path} was readable by others`,
        'It is private again; make new keys if in doubt.',
      )
    : ok(name, path)
}
