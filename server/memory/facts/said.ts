import type { MemoryWithThread } from '../memories/store.ts'

/** A memory, and the time zone that it is read in: of whoever wrote it. */
export type Said = MemoryWithThread & { timezone: string }
