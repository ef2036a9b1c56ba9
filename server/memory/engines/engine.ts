import type { MemoryWithThread } from '../memories/store.ts'

/**
 * Work that is done on memories after they were written, as a job. It must come to the same when it
 * is done twice on the same memories.
 */
export interface Engine {
  name: string
  /** What it does, for the operator. */
  about: string
  /** It does not look at what is brought in from elsewhere. */
  skipsImports?: boolean
  /** How many memories it takes at a time. */
  batch: number
  /**
   * Looks at memories as they are now: new ones, changed ones, and ones that were brought back.
   * @throws to be run again on them later.
   */
  run(ownerId: string, memories: MemoryWithThread[]): Promise<void>
  /** Leaves off what takes long: the server stops. */
  stop?(): void
}
