import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { syncDirectory } from './directory.ts'

/** Exists while entries are being replaced. */
const MARKER = 'replacement.json'

export interface Replacement {
  /** Entries of the data directory. */
  names: string[]
  /** The extension that the replaced entries get. */
  kept: string
}

/** The path of the new version of an entry of the data directory, until it replaces the entry. */
export const incomingPath = (dataDir: string, name: string): string =>
  join(dataDir, `${name}.incoming`)

/**
 * Replaces entries of the data directory by their complete new versions, and keeps the replaced ones. A
 * crash leaves either all old or all new entries, because the next start finishes the replacement. The
 * caller has the lock of the data directory.
 */
export const replaceEntries = (dataDir: string, replacement: Replacement): void => {
  const marker = join(dataDir, MARKER)
  writeFileSync(`${marker}.draft`, JSON.stringify(replacement), { flush: true })
  renameSync(`${marker}.draft`, marker)
  syncDirectory(dataDir)
  finishReplacement(dataDir)
}

/** Finishes a replacement that was interrupted. */
export const finishReplacement = (dataDir: string): void => {
  const marker = join(dataDir, MARKER)
  if (!existsSync(marker)) return
  const { names, kept }: Replacement = JSON.parse(readFileSync(marker, 'utf8'))
  for (const name of names) {
    const path = join(dataDir, name)
    const incoming = incomingPath(dataDir, name)
    if (!existsSync(incoming)) continue
    if (existsSync(path)) {
      rmSync(`${path}.${kept}`, { recursive: true, force: true })
      renameSync(path, `${path}.${kept}`)
    }
    renameSync(incoming, path)
  }
  syncDirectory(dataDir)
  rmSync(marker)
  syncDirectory(dataDir)
}
