import { createHash } from 'node:crypto'
import type { Memory, MemoryType } from '../../shared/contract/memories.ts'

/**
 * The fields that a memory and its file have in common. A field that is undefined in a file is not set there: it has
 * the value of the memory.
 */
export interface Fields {
  /** A hash of the content. */
  content: string
  tags: string[]
  type?: MemoryType | undefined
  thread?: string | undefined
  /** When it happened: ISO 8601 in UTC with milliseconds. */
  happened?: string | undefined
}

export const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 32)

export const fieldsOfMemory = (memory: Memory): Fields => ({
  content: hashOf(memory.content_text),
  tags: memory.tags,
  type: memory.memory_type,
  thread: memory.thread ?? undefined,
  happened: memory.occurred_at ?? undefined,
})

/** A hash of what a file only shows of a memory. */
export const infoOf = ({ created_at, valid_from, valid_to, source }: Memory): string =>
  hashOf(JSON.stringify([created_at, valid_from, valid_to, source.kind]))

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((each, index) => each === b[index])

/** Whether both are exactly the same, also in what is not set. */
export const isSame = (a: Fields, b: Fields): boolean =>
  a.content === b.content &&
  isSameList(a.tags, b.tags) &&
  a.type === b.type &&
  a.thread === b.thread &&
  a.happened === b.happened

/** Whether a file says what the memory is, as far as the file says it. */
export const agrees = (file: Fields, memory: Fields): boolean =>
  file.content === memory.content &&
  isSameList(file.tags, memory.tags) &&
  (file.type ?? memory.type) === memory.type &&
  (file.thread ?? memory.thread) === memory.thread &&
  (file.happened ?? memory.happened) === memory.happened
