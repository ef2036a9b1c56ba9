import { isEmpty } from '../../platform/db/embedded/directory.ts'
import { lockDirectory } from '../../platform/db/embedded/lock.ts'
import { databaseDirectory } from '../../platform/db/embedded/open.ts'
import { type Replacement, settleReplacement } from '../../platform/db/embedded/replacement.ts'
import {
  type DatabaseSettings,
  openExclusive,
  replaceEmbedded,
} from '../../platform/db/transfer/databases.ts'
import type { DatabaseSession } from '../../platform/db/transfer/session.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { type CopyResult, copyDatabase } from './copy-database.ts'

/**
 * Copies the database to another server, or into the embedded database. The source is only read.
 * @throws StartError or OperatorError when a server runs on one of them, or the target is not empty.
 */
export const move = async (
  from: DatabaseSettings,
  to: DatabaseSettings,
  { overwrites, report }: { overwrites: boolean; report(text: string): void },
): Promise<CopyResult> => {
  if (from.databaseUrl === to.databaseUrl)
    throw new OperatorError('The source and the target are the same database.')
  await using source = await openExclusive(from)
  if (to.databaseUrl) {
    await using target = await openExclusive(to)
    return await copyDatabase(source, target, report)
  }
  return await moveIntoEmbedded(source, to.dataDir, { overwrites, report })
}

const moveIntoEmbedded = async (
  source: DatabaseSession,
  dataDir: string,
  { overwrites, report }: { overwrites: boolean; report(text: string): void },
): Promise<CopyResult> => {
  using opened = new DisposableStack()
  const lock = lockDirectory(dataDir)
  opened.defer(() => lock.release())
  await settleReplacement(dataDir)
  if (!overwrites && !isEmpty(databaseDirectory(dataDir)))
    throw new OperatorError(
      `SVC_DATA_DIR: ${dataDir} has a database; use --force to replace it and keep it as postgres.replaced`,
    )
  const replacement: Replacement = { names: ['postgres'], kept: 'replaced', draft: 'incoming' }
  return await replaceEmbedded(dataDir, replacement, (target) =>
    copyDatabase(source, target, report),
  )
}
