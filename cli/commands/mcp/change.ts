import type { Entry } from './clients.ts'

/** What an editor of a format is asked to do. */
export interface Change {
  table: string
  name: string
  /** Fields to set, and with `undefined` those to take away. */
  changes: Record<string, Entry[string] | undefined>
  /** The whole entry, for where there is none yet. */
  entry: Entry
}

/** The file is not what its client would read, so nothing is put into it. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}
