import type { MemoryWithThread } from '../memories/store.ts'
import type { Lease } from './leases.ts'

/** Background work on written memories. It must be idempotent. */
export interface Engine {
  name: string
  /** A description for the operator. */
  about: string
  /** It does not run on imported memories. */
  skipsImports?: boolean
  /** It waits for the network, and must not delay other engines. */
  waitsForModel?: boolean
  /**
   * A memory that was just written comes before the backlog of an import. Not for an engine that compares a
   * memory with those before it.
   */
  newestFirst?: boolean
  /** The size of a batch, in memories. */
  batch: number
  /**
   * Processes new, changed and restored memories in their present state.
   * @param lease is confirmed in each transaction that writes. Memories may have changed since they were
   * read, so results are written for unchanged ones only.
   * @throws to be retried later.
   */
  run(ownerId: string, memories: MemoryWithThread[], lease: Lease): Promise<void>
  /** Aborts long work, because the server stops. */
  stop?(): void
}
