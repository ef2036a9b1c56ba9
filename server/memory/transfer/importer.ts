import type { ImportedMemory, TrustLoss } from '../../../shared/contract/transfer.ts'
import { isDeadlock, isUniqueViolation, type Query } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { contentHash } from '../memories/new-memory.ts'
import type { MemoryService } from '../memories/service.ts'
import { type BatchIds, createIdMap, createLinkTranslation } from './id-map.ts'
import type { ImportedTrust } from './signatures.ts'
import { correctSupersessions, findDuplicates, type Supersession } from './store.ts'

interface BatchResult {
  imported: number
  deduplicated: number
  /** Of each new memory that is trusted less than its line says. */
  losses: TrustLoss[]
}

/** A memory of a file with what it is trusted. */
export type TrustedMemory = ImportedMemory & ImportedTrust

/** Attempts while concurrent imports store the same memories. */
const MAX_ATTEMPTS = 5

/**
 * Stores the memories of one file in batches, each memory once, and translates their references to
 * stored ids. Between batches it keeps only open references and ids that do not follow from the file.
 */
export const createImporter = (query: Query, memories: MemoryService, caller: Caller) => {
  const { ownerId } = caller
  const idMap = createIdMap(query, ownerId)
  const links = createLinkTranslation(query, ownerId)

  /** The memories of a batch that are not stored yet, with their new ids. */
  const selectNew = async (batch: TrustedMemory[], ids: BatchIds) => {
    const unknown = withoutKnownIds(batch, ids)
    const duplicates = await findStoredDuplicates(query, ownerId, unknown)
    for (const [memory, id] of duplicates) idMap.addAlias(memory, id)
    await memories.addToDuplicates(caller, duplicates)
    const added = unknown.filter((memory) => !duplicates.has(memory))
    return added.map((memory) => {
      const expected = memory.memory_id && ids.expectedOf(memory.memory_id)
      // A deleted memory keeps its id, because it may be restored.
      const id = expected && !ids.isForgotten(expected) ? expected : Bun.randomUUIDv7()
      if (memory.memory_id) ids.assign(memory.memory_id, id)
      return { memory, id }
    })
  }

  const store = async (batch: TrustedMemory[]): Promise<BatchResult> => {
    const ids = await idMap.load(batch)
    const added = await selectNew(batch, ids)
    const stored = await memories.importAll(
      caller,
      added.map(({ memory, id }) => ({
        ...memory,
        memory_id: id,
        metadata: links.translate(memory, id, ids),
        supersedes: memory.supersedes ? ids.idOf(memory.supersedes) : null,
        superseded_by: memory.superseded_by ? ids.idOf(memory.superseded_by) : null,
      })),
    )
    for (const [i, { memory, id }] of added.entries())
      idMap.addAlias(memory, stored[i]?.memoryId ?? id)
    const corrections = correctionsOf(batch, ids, idMap.hasAlias)
    if (corrections.length) await correctSupersessions(query, ownerId, corrections)
    await links.complete(batch, ids)
    const fresh = added.filter((_, i) => !stored[i]?.deduplicated)
    return {
      imported: fresh.length,
      deduplicated: batch.length - fresh.length,
      losses: fresh.flatMap(({ memory }) => memory.loss ?? []),
    }
  }

  return {
    /** Stores the new memories of a batch; retries if a concurrent import stored the same. */
    async importBatch(batch: TrustedMemory[]): Promise<BatchResult> {
      for (let attempt = 1; ; attempt++) {
        try {
          return await store(batch)
        } catch (error) {
          if (attempt === MAX_ATTEMPTS || !isConcurrentWrite(error)) throw error
        }
      }
    },
  }
}

/** The memories whose ids in the file are not stored, each id once. */
const withoutKnownIds = (batch: TrustedMemory[], ids: BatchIds): TrustedMemory[] => {
  const seen = new Set<string>()
  return batch.filter(({ memory_id }) => {
    if (!memory_id) return true
    const isKnown = seen.has(memory_id) || ids.find(memory_id) !== undefined
    seen.add(memory_id)
    return !isKnown
  })
}

/** The ids of stored duplicates. Those of superseded memories were created at the same time. */
const findStoredDuplicates = async (
  query: Query,
  ownerId: string,
  batch: TrustedMemory[],
): Promise<Map<TrustedMemory, string>> => {
  const isPast = (memory: TrustedMemory) => Boolean(memory.superseded_by)
  const duplicates = new Map<TrustedMemory, string>()
  for (const kind of ['live', 'past'] as const) {
    const ofKind = batch.filter((memory) => isPast(memory) === (kind === 'past'))
    if (ofKind.length === 0) continue
    const fingerprints = ofKind.map((memory) => ({
      content_hash: contentHash(memory.content_text),
      thread: memory.thread ?? null,
      project: memory.project ?? null,
      created_at: memory.created_at ?? null,
    }))
    const found = await findDuplicates(query, ownerId, kind, fingerprints)
    for (const [index, memory] of ofKind.entries()) {
      const id = found.get(index)
      if (id !== undefined) duplicates.set(memory, id)
    }
  }
  return duplicates
}

/** The supersessions of memories that are stored under another id than expected. */
const correctionsOf = (
  batch: ImportedMemory[],
  ids: BatchIds,
  hasAlias: (fileId: string) => boolean,
): Supersession[] =>
  batch
    .flatMap(({ memory_id, supersedes, superseded_by }) => [
      ...(memory_id && supersedes ? [{ past: supersedes, next: memory_id }] : []),
      ...(memory_id && superseded_by ? [{ past: memory_id, next: superseded_by }] : []),
    ])
    .filter(({ past, next }) => hasAlias(past) || hasAlias(next))
    .map(({ past, next }) => ({
      past: ids.idOf(past),
      past_expected: ids.expectedOf(past),
      next: ids.idOf(next),
      next_expected: ids.expectedOf(next),
    }))

const isConcurrentWrite = (error: unknown): boolean => isUniqueViolation(error) || isDeadlock(error)
