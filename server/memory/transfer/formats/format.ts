import type { Input } from '../../../../shared/schemas/common.ts'
import type { ImportedMemory } from '../../../../shared/schemas/transfer.ts'
import type { JsonObject } from './values.ts'

/** A memory as a file tells of it, still to be checked. */
export type Told = Input<typeof ImportedMemory>

/** One kind of record that memories come in. */
export interface Format {
  /** Whether a record looks like one of these. */
  matches(record: JsonObject): boolean
  /** The memories in a record, in order. */
  read(record: JsonObject): Iterable<unknown>
}

/** Memories that were written elsewhere say so. */
export const importedFrom = (what: string, id: unknown) => ({
  kind: 'import',
  ref: typeof id === 'string' && id ? `${what}:${id}`.slice(0, 500) : what,
})
