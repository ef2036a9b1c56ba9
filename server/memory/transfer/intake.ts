import { isUuid } from '../../../shared/schemas/common.ts'
import type { ImportedMemory } from '../../../shared/schemas/transfer.ts'
import type { Query } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { contentHash } from '../memories/content.ts'
import type { MemoryService } from '../memories/service.ts'
import { importedId } from './ids.ts'
import {
  findAlike,
  findIds,
  type Relinked,
  relink,
  type Succession,
  settleSuccessions,
} from './store.ts'

export interface Taken {
  imported: number
  deduplicated: number
}

/** Other imports of the same memories can be first only so often. */
const MAX_ATTEMPTS = 5

const linksOf = ({ metadata }: ImportedMemory): string[] =>
  (Array.isArray(metadata.links) ? metadata.links : [])
    .filter((link) => typeof link === 'string')
    .map((link) => link.toLowerCase())
    .filter((link) => isUuid(link))

/**
 * Stores the memories of one file, batch by batch, each once, and has them refer to each other by the
 * ids they get. Between batches it holds only what refers to a memory that has not come yet, and the
 * memories that were there already under an id of which the file knows nothing.
 */
export const createIntake = (query: Query, memories: MemoryService, caller: Caller) => {
  const ownerId = caller.ownerId
  /** The ids of memories whose id does not follow from the one in the file. */
  const aliases = new Map<string, string>()
  /** Who links to memories that have not come yet, by the id in the file. */
  const awaited = new Map<string, Set<string>>()

  /** Settles which memory an id of the file stands for, as far as a batch can tell. */
  const lookUp = async (batch: ImportedMemory[]) => {
    const named = new Set(
      batch.flatMap((memory) => [
        ...[memory.memory_id, memory.supersedes, memory.superseded_by].flatMap((id) => id ?? []),
        ...linksOf(memory),
      ]),
    )
    const both = [...named].flatMap((id) => [id, importedId(ownerId, id)])
    const found = await findIds(query, ownerId, new Set(both))
    const isHere = (id: string) => found.get(id)?.isForgotten === false
    /** What this batch is about to store. */
    const coming = new Map<string, string>()
    return {
      coming,
      isForgotten: (id: string) => found.get(id)?.isForgotten === true,
      /** The memory that is there, be it of an earlier import or of this account's own. */
      find: (id: string): string | undefined =>
        aliases.get(id) ?? coming.get(id) ?? [id, importedId(ownerId, id)].find(isHere),
    }
  }
  type LookedUp = Awaited<ReturnType<typeof lookUp>>

  const idOf = (id: string, { find }: LookedUp): string => find(id) ?? importedId(ownerId, id)

  const note = (memory: ImportedMemory, id: string): void => {
    const theirs = memory.memory_id
    if (theirs && id !== theirs && id !== importedId(ownerId, theirs)) aliases.set(theirs, id)
  }

  /** Leaves out those whose like is there: for superseded ones, written at the same time. */
  const withoutAlike = async (batch: ImportedMemory[]): Promise<ImportedMemory[]> => {
    const isPast = (memory: ImportedMemory) => Boolean(memory.superseded_by)
    const known = new Set<ImportedMemory>()
    for (const kind of ['live', 'past'] as const) {
      const asked = batch.filter((memory) => isPast(memory) === (kind === 'past'))
      if (asked.length === 0) continue
      const likenesses = asked.map((memory) => ({
        content_hash: contentHash(memory.content_text),
        thread: memory.thread ?? null,
        created_at: memory.created_at ?? null,
      }))
      for (const [place, id] of await findAlike(query, ownerId, kind, likenesses)) {
        const memory = asked[place] as ImportedMemory
        note(memory, id)
        known.add(memory)
      }
    }
    return batch.filter((memory) => !known.has(memory))
  }

  /** Links to what is not there stay as they are until it comes. */
  const relinked = (memory: ImportedMemory, id: string, ids: LookedUp) => {
    if (linksOf(memory).length === 0) return memory.metadata
    const links = (memory.metadata.links as unknown[]).map((link) => {
      const theirs = typeof link === 'string' ? link.toLowerCase() : ''
      if (!isUuid(theirs)) return link
      const known = ids.find(theirs)
      if (!known) awaited.set(theirs, (awaited.get(theirs) ?? new Set()).add(id))
      return known ?? link
    })
    return { ...memory.metadata, links }
  }

  /** Tells those who linked to memories that have come now. */
  const settleLinks = async (batch: ImportedMemory[], ids: LookedUp): Promise<void> => {
    const relinks = new Map<string, Relinked>()
    for (const theirs of batch.flatMap(({ memory_id }) => memory_id ?? [])) {
      const waiting = awaited.get(theirs)
      awaited.delete(theirs)
      for (const memory_id of waiting ?? []) {
        const links = relinks.get(memory_id) ?? { memory_id, ids: {} }
        links.ids[theirs] = idOf(theirs, ids)
        relinks.set(memory_id, links)
      }
    }
    if (relinks.size) await relink(query, ownerId, [...relinks.values()])
  }

  /** Has memories that are there under other ids take their places in successions. */
  const settle = async (batch: ImportedMemory[], ids: LookedUp): Promise<void> => {
    const pairs = batch.flatMap(({ memory_id, supersedes, superseded_by }) => [
      ...(memory_id && supersedes ? [{ past: supersedes, next: memory_id }] : []),
      ...(memory_id && superseded_by ? [{ past: memory_id, next: superseded_by }] : []),
    ])
    const successions: Succession[] = pairs
      .filter(({ past, next }) => aliases.has(past) || aliases.has(next))
      .map(({ past, next }) => ({
        past: idOf(past, ids),
        past_expected: importedId(ownerId, past),
        next: idOf(next, ids),
        next_expected: importedId(ownerId, next),
      }))
    if (successions.length) await settleSuccessions(query, ownerId, successions)
  }

  const store = async (batch: ImportedMemory[]): Promise<Taken> => {
    const ids = await lookUp(batch)
    const seen = new Set<string>()
    const fresh = batch.filter(({ memory_id }) => {
      if (!memory_id) return true
      const isKnown = seen.has(memory_id) || ids.find(memory_id) !== undefined
      seen.add(memory_id)
      return !isKnown
    })
    const open = (await withoutAlike(fresh)).map((memory) => {
      const wanted = memory.memory_id && importedId(ownerId, memory.memory_id)
      // What was forgotten here keeps its id, until it is restored or erased.
      const id = wanted && !ids.isForgotten(wanted) ? wanted : Bun.randomUUIDv7()
      if (memory.memory_id) ids.coming.set(memory.memory_id, id)
      return { memory, id }
    })
    const stored = await memories.adopt(
      caller,
      open.map(({ memory, id }) => ({
        ...memory,
        memory_id: id,
        metadata: relinked(memory, id, ids),
        supersedes: memory.supersedes ? idOf(memory.supersedes, ids) : null,
        superseded_by: memory.superseded_by ? idOf(memory.superseded_by, ids) : null,
      })),
    )
    for (const [i, { memory, id }] of open.entries()) note(memory, stored[i]?.memoryId ?? id)
    await settle(batch, ids)
    await settleLinks(batch, ids)
    const imported = stored.filter(({ deduplicated }) => !deduplicated).length
    return { imported, deduplicated: batch.length - imported }
  }

  return {
    /** Stores what is new of a batch; looks again where another import was first with the same. */
    async take(batch: ImportedMemory[]): Promise<Taken> {
      for (let attempt = 1; ; attempt++) {
        try {
          return await store(batch)
        } catch (error) {
          if (attempt === MAX_ATTEMPTS || !isRace(error)) throw error
        }
      }
    },
  }
}

const UNIQUE_VIOLATION = '23505'
const DEADLOCK = '40P01'

/** Whether another writer of the same memories came between. */
const isRace = (error: unknown): boolean =>
  [UNIQUE_VIOLATION, DEADLOCK].includes(String((error as { code?: unknown } | null)?.code))
