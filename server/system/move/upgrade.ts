import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Binaries, findBinaries, majorVersion } from '../../platform/db/embedded/binaries.ts'
import { storedVersion } from '../../platform/db/embedded/directory.ts'
import { lockDirectory } from '../../platform/db/embedded/lock.ts'
import { databaseDirectory, startCluster } from '../../platform/db/embedded/open.ts'
import { type Replacement, settleReplacement } from '../../platform/db/embedded/replacement.ts'
import { checkExists, openCluster, replaceEmbedded } from '../../platform/db/transfer/databases.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { type CopyResult, copyDatabase } from './move.ts'

export interface UpgradeResult extends CopyResult {
  /** The directory that has the old database. */
  kept: string
}

/** Where packages of PostgreSQL install the binaries of a version. */
const INSTALLED = [
  '/usr/lib/postgresql/{}/bin',
  '/usr/pgsql-{}/bin',
  '/opt/homebrew/opt/postgresql@{}/bin',
]

/**
 * Copies the embedded database of an older version of PostgreSQL into one of the version that svc ships,
 * which then replaces it.
 * @returns undefined if the database has that version.
 * @throws OperatorError when there is no database, or no PostgreSQL of the older version.
 */
export const upgradeEmbedded = async (
  dataDir: string,
  oldBinaries: string | undefined,
  report: (text: string) => void,
): Promise<UpgradeResult | undefined> => {
  // Before the lock, which creates the directory.
  checkExists(dataDir)
  using opened = new DisposableStack()
  const lock = lockDirectory(dataDir)
  opened.defer(() => lock.release())
  await settleReplacement(dataDir)
  const directory = databaseDirectory(dataDir)
  const found = storedVersion(directory)
  if (found === findBinaries().major) return undefined
  const binaries = findOldBinaries(found, oldBinaries)
  const copied = await copyFrom(dataDir, binaries, report)
  return { ...copied, kept: `${directory}.${keptAs(binaries)}` }
}

const copyFrom = async (
  dataDir: string,
  binaries: Binaries,
  report: (text: string) => void,
): Promise<CopyResult> => {
  await using opened = new AsyncDisposableStack()
  const source = opened.use(
    await openCluster(startCluster(databaseDirectory(dataDir), { binaries })),
  )
  const replacement: Replacement = {
    names: ['postgres'],
    kept: keptAs(binaries),
    draft: 'incoming',
  }
  return await replaceEmbedded(dataDir, replacement, async (target) => {
    const result = await copyDatabase(source, target, report)
    // Before its directory is renamed.
    await opened.disposeAsync()
    return result
  })
}

const keptAs = ({ major }: Binaries) => `version-${major}`

const findOldBinaries = (major: string, given: string | undefined): Binaries => {
  const places = given ? [resolve(given)] : INSTALLED.map((path) => path.replace('{}', major))
  const bin = places.find((path) => existsSync(join(path, 'postgres')))
  if (!bin)
    throw new OperatorError(
      given
        ? `${given} has no postgres; name the directory of the binaries of PostgreSQL ${major}`
        : `The database is of PostgreSQL ${major}, whose binaries are not installed; install them (Debian: postgresql-${major}), or name their directory with --old-binaries`,
    )
  const postgres = join(bin, 'postgres')
  const found = majorVersion(postgres)
  if (found !== major)
    throw new OperatorError(`${bin} has PostgreSQL ${found}, and the database is of ${major}`)
  return { initdb: join(bin, 'initdb'), postgres, major }
}
