import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { makePrivateDirectory, readPrivateFile, replacePrivateFile } from '../../private-file.ts'
import { parse as parseJson } from '../mcp/jsonc.ts'
import { deleteSettingsFile, readSettingsFile, replaceSettingsFile } from '../mcp/settings-file.ts'
import { expectTable, plain, splitMark } from '../mcp/settings-format.ts'
import { parse as parseToml } from '../mcp/toml.ts'
import type { FileChange } from './changes.ts'

/** How a settings file was before svc was added, so that removing svc restores it byte for byte. */
interface Connection {
  /** The hash of the file as svc left it. With another hash the file has changed since. */
  hash: string
  /** The copy of the original file; null if svc created the file. */
  backup: string | null
  /** The first directory that svc created for the file. */
  folder: string | null
}

type Connections = Record<string, Connection>

/** The record of changed settings files, by path: CONFIG/connections.json. */
export type ConnectionStore = ReturnType<typeof openConnections>

export const openConnections = (configDir: string) => {
  const path = join(configDir, 'connections.json')
  return {
    read: (): Connections => parseConnections(readPrivateFile(path)),
    write(connections: Connections): void {
      if (!existsSync(path) && Object.keys(connections).length === 0) return
      makePrivateDirectory(configDir)
      replacePrivateFile(path, `${JSON.stringify(connections, null, 2)}\n`)
    },
  }
}

/** A damaged record is as none: svc is then removed from the files entry by entry. */
const parseConnections = (text = '{}'): Connections => {
  try {
    const all = JSON.parse(text) as Record<string, Partial<Connection> | null>
    return Object.fromEntries(
      Object.entries(all).flatMap(([path, each]) =>
        typeof each?.hash === 'string'
          ? [[path, { hash: each.hash, backup: each.backup ?? null, folder: each.folder ?? null }]]
          : [],
      ),
    )
  } catch {
    return {}
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Writes the file and records how it was. @returns the path of the backup of the original. */
export const writeConnected = async (
  { path, before, after }: FileChange,
  store: ConnectionStore,
): Promise<string | undefined> => {
  const { backup, folder } = await replaceSettingsFile(path, before, after ?? '')
  const connections = store.read()
  const known = connections[path]
  const isContinued = known !== undefined && before !== undefined && known.hash === hashOf(before)
  const original = isContinued ? known : { backup: backup ?? null, folder: folder ?? null }
  store.write({ ...connections, [path]: { ...original, hash: hashOf(after ?? '') } })
  if (isContinued && backup && backup !== known.backup) await rm(backup, { force: true })
  return original.backup ?? undefined
}

/**
 * The change that removes svc: it restores the original file if nothing but svc differs from it, and deletes
 * the file if svc created it and nothing remains.
 */
export const withOriginal = async (
  change: FileChange,
  store: ConnectionStore,
): Promise<FileChange> => {
  const { path, before, after } = change
  const known = store.read()[path]
  if (!known || before === undefined || after === undefined || after === before) return change
  if (known.backup === null) return isEmpty(path, after) ? { ...change, after: undefined } : change
  if (known.hash !== hashOf(before)) return change
  const original = await readSettingsFile(known.backup)
  return original !== undefined && isEquivalent(path, original, after)
    ? { ...change, after: original }
    : change
}

/** Writes or deletes the file. @returns the path of the backup, unless the file is the original one. */
export const writeDisconnected = async (
  { path, before, after }: FileChange,
  store: ConnectionStore,
): Promise<string | undefined> => {
  const { [path]: known, ...others } = store.read()
  if (after === undefined) {
    await deleteSettingsFile(path, known?.folder ?? undefined)
    store.write(others)
    return undefined
  }
  const { backup } = await replaceSettingsFile(path, before, after)
  const isUnchanged = known !== undefined && known.hash === hashOf(before ?? '')
  const original = known?.backup ? await readSettingsFile(known.backup) : undefined
  if (isUnchanged && original === after) {
    store.write(others)
    for (const copy of [backup, known.backup]) if (copy) await rm(copy, { force: true })
    return undefined
  }
  // The other part may be removed later, which restores the original file.
  store.write(isUnchanged ? { ...others, [path]: { ...known, hash: hashOf(after) } } : others)
  return backup
}

/** The settings without the version of the format, which svc adds to a file of hooks. */
const contentOf = (path: string, file: string): unknown => {
  const [, text] = splitMark(file)
  const content = plain(path.endsWith('.toml') ? parseToml(text) : parseJson(text))
  const { version, ...settings } = expectTable(withoutEmpty(content), 'the content')
  return version === undefined || version === 1 ? settings : { version, ...settings }
}

const isEquivalent = (path: string, one: string, other: string): boolean => {
  try {
    return isDeepStrictEqual(contentOf(path, one), contentOf(path, other))
  } catch {
    return false
  }
}

/** Whether nothing remains except the version of the format. Comments are content too. */
const isEmpty = (path: string, file: string): boolean => {
  return !/\/\/|\/\*|#/.test(file) && isEquivalent(path, file, '')
}

/** Removes empty objects and lists, which svc may have created or removed with an entry. */
const withoutEmpty = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [key, withoutEmpty(each)] as const)
  return Object.fromEntries(
    entries.filter(
      ([, each]) => typeof each !== 'object' || each === null || Object.keys(each).length > 0,
    ),
  )
}
