import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { syncDirectorySync, writeSynced } from '../../durable-files.ts'
import type { Log } from '../../log.ts'
import { stopLeftover } from './leftover.ts'

/** Exists while entries are being replaced. */
const MARKER = 'replacement.json'

/**
 * The extension of the new versions. `incoming` ones remain after an interruption, and the repeated
 * command continues with them. `restoring` ones are deleted by the next command or start.
 */
export type ReplacementDraft = 'incoming' | 'restoring'

export interface Replacement {
  /** Entries of the data directory. */
  names: string[]
  /** The extension that the replaced entries get. */
  kept: string
  draft: ReplacementDraft
}

/** The path of the new version of an entry of the data directory, until it replaces the entry. */
export const draftPath = (dataDir: string, name: string, draft: ReplacementDraft): string =>
  join(dataDir, `${name}.${draft}`)

/** Whether a replacement was interrupted, which `settleReplacement` finishes. */
export const isReplacing = (dataDir: string): boolean => existsSync(join(dataDir, MARKER))

/**
 * Settles what an interrupted command left: finishes a replacement, and deletes drafts that no command
 * continues. The caller has the lock of the data directory.
 */
export const settleReplacement = async (
  dataDir: string,
  log?: Pick<Log, 'warn'>,
): Promise<void> => {
  finishReplacement(dataDir)
  for (const name of readdirSync(dataDir)) {
    const path = join(dataDir, name)
    if (isAbandoned(name)) {
      // Otherwise it deletes the socket of a later server when it notices that its directory is deleted.
      await stopLeftover(path)
      rmSync(path, { recursive: true, force: true })
    }
    if (name.endsWith('.incoming' satisfies `.${ReplacementDraft}`))
      log?.warn(
        { path },
        'left by an interrupted svc admin command; repeat the command, or delete it',
      )
  }
}

/** Drafts of a restore, and parts of a database or secret that was being created, here or by earlier versions. */
const isAbandoned = (name: string): boolean =>
  /\.restoring(\.|$)/.test(name) ||
  /^postgres(\.\w+)?\.(new(-\w+)?|password)$/.test(name) ||
  /^auth-secret\..*draft$/.test(name)

/**
 * Replaces entries of the data directory by their complete new versions, and keeps the replaced ones. A
 * crash leaves either all old or all new entries, because the next start finishes the replacement. The
 * caller has the lock of the data directory.
 */
export const replaceEntries = (dataDir: string, replacement: Replacement): void => {
  const marker = join(dataDir, MARKER)
  writeSynced(`${marker}.draft`, JSON.stringify(replacement))
  renameSync(`${marker}.draft`, marker)
  syncDirectorySync(dataDir)
  finishReplacement(dataDir)
}

const finishReplacement = (dataDir: string): void => {
  const marker = join(dataDir, MARKER)
  if (!existsSync(marker)) return
  // Earlier versions had no `draft`.
  const {
    names,
    kept,
    draft = 'incoming',
  }: Partial<Replacement> & Omit<Replacement, 'draft'> = JSON.parse(readFileSync(marker, 'utf8'))
  for (const name of names) {
    const path = join(dataDir, name)
    const replacing = draftPath(dataDir, name, draft)
    if (!existsSync(replacing)) continue
    if (existsSync(path)) {
      rmSync(`${path}.${kept}`, { recursive: true, force: true })
      renameSync(path, `${path}.${kept}`)
    }
    renameSync(replacing, path)
  }
  syncDirectorySync(dataDir)
  rmSync(marker)
  syncDirectorySync(dataDir)
}
