import type { MemoryWithThread } from '../memories/store.ts'

/** Background work on written memories. It must be idempotent. */
export interface Engine {
  name: string
  /** A description for the operator. */
  about: string
  /** It does not run on imported memories. */
  skipsImports?: boolean
  /** It waits for the network, and must not delay other engines. */
  waitsForModel?: boolean
  /** The size of a batch, in memories. */
  batch: number
  /**
   * Processes new, changed and restored memories in their present state.
   * @throws to be retried later.
   */
  run(ownerId: string, memories: MemoryWithThread[]): Promise<void>
  /** Aborts long work, because the server stops. */
  stop?(): void
}
