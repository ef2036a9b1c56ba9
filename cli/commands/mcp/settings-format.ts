import { isDeepStrictEqual } from 'node:util'
import type { ServerEntry } from '../../../shared/mcp-clients.ts'

/** A change to the entry of svc in a settings file. */
export interface EntryChange {
  table: string
  name: string
  /** Fields to set; `undefined` removes a field. */
  changes: Record<string, ServerEntry[string] | undefined>
  /** The complete entry, used if there is none yet. */
  entry: ServerEntry
}

/** The file is invalid or cannot be changed safely. It was not written. */
export class SettingsFileError extends Error {
  override name = 'SettingsFileError'
}

export type SettingsTable = Readonly<Record<string, unknown>>

/** Splits off the byte order mark, which the parsers do not accept. */
export const splitMark = (file: string): [mark: string, text: string] =>
  file.startsWith('\uFEFF') ? ['\uFEFF', file.slice(1)] : ['', file]

export const isTable = (value: unknown): value is SettingsTable =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws SettingsFileError */
export const expectTable = (value: unknown, name: string): SettingsTable => {
  if (isTable(value)) return value
  throw new SettingsFileError(`${name} is not an object`)
}

/** Converts the objects of the parsers to plain objects for comparison. */
export const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Date || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
}

/**
 * Protects the other settings from a defect of the editing library.
 * @throws SettingsFileError if a changed file does not have the intended content.
 */
export const expectContent = (actual: unknown, intended: unknown): void => {
  if (!isDeepStrictEqual(plain(actual), plain(intended)))
    throw new SettingsFileError('it cannot be changed without affecting other settings')
}
