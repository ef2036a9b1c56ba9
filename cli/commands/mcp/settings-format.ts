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
