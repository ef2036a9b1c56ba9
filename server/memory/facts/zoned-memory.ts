import type { ShownMemory } from '../memories/store.ts'

/** A memory with the time zone of its writer, in which its dates are read. */
export type ZonedMemory = ShownMemory & { timezone: string }
