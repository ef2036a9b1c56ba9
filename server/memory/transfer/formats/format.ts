import type { Input } from '../../../../shared/contract/common.ts'
import type { ImportedMemory } from '../../../../shared/contract/transfer.ts'
import type { JsonObject } from './values.ts'

/** An unchecked memory of a file. */
export type RawMemory = Input<typeof ImportedMemory>

/** A file format of another product. */
export interface Format {
  /** Detects a record of this format. */
  matches(record: JsonObject): boolean
  /** The memories in a record, in order. */
  read(record: JsonObject): Iterable<unknown>
}

/** The source of an imported memory. */
export const importSource = (product: string, id: unknown) => ({
  kind: 'import',
  ref: typeof id === 'string' && id ? `${product}:${id}`.slice(0, 500) : product,
})
