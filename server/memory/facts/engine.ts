import type { Database } from '../../platform/db/database.ts'
import { mapYielding } from '../../platform/event-loop.ts'
import type { Log } from '../../platform/log.ts'
import { ModelFailure } from '../../platform/models/failure.ts'
import type { Models } from '../../platform/models/types.ts'
import { UTC } from '../../platform/timezone.ts'
import type { Engine } from '../engines/engine.ts'
import type { MemoryWithThread } from '../memories/store.ts'
import { factsByModel } from './model.ts'
import type { Fact } from './rules/fact.ts'
import { chosenFactsIn } from './sentences.ts'
import { type FoundFact, type NewFact, replaceFacts, toNewFact, type ZonedMemory } from './store.ts'

export const EXTRACTION = 'extraction'

/**
 * Sources of text that the user did not write. An answer repeats memories, or what a model made of
 * them; "I" on a web page is its author. The user may have confirmed it since.
 */
const DERIVED_SOURCES: ReadonlySet<string> = new Set(['answer', 'page'])

export const BY_RULES = 'rules'
/** `extracted_by` of a value that the user chose. */
export const BY_CHOICE = 'choice'
/** Memories in a batch. A model needs room in its context window for the completion. */
const BATCH = { rules: 100, model: 8 }
const CHARACTERS_PER_TOKEN = 3
const SHARE_OF_WINDOW = 0.25

/** The time zones and names of users, by user id. */
export type WritersOf = (
  userIds: string[],
) => Promise<Map<string, { timezone: string; displayName: string | null }>>

interface ExtractionParts {
  writersOf: WritersOf
  /** Called with facts that were not known before, after they were stored. */
  onFound?: (ownerId: string, memories: MemoryWithThread[], facts: FoundFact[]) => Promise<void>
}

/** Extracts facts from memories: by rules, and by a model if one is configured. */
export const createExtraction = (
  database: Database,
  models: Models,
  log: Log,
  { writersOf, onFound }: ExtractionParts,
): Engine => {
  const maxCharacters = models.contextTokens * SHARE_OF_WINDOW * CHARACTERS_PER_TOKEN

  const stopping = new AbortController()

  /** Undefined when no model returns a valid completion. */
  const extractByModel = async (memories: ZonedMemory[]) => {
    if (!models.isConfigured) return undefined
    try {
      return await factsByModel(models, memories, stopping.signal)
    } catch (error) {
      stopping.signal.throwIfAborted()
      if (!(error instanceof ModelFailure) && !isTimeout(error)) throw error
      log.warn({ error }, 'fact extraction by a model failed; rules alone are used')
      return undefined
    }
  }

  /** Chosen facts win over the model's, and those over the rules'. */
  const extract = async (memories: ZonedMemory[]): Promise<NewFact[]> => {
    const completion = await extractByModel(memories)
    const facts = await mapYielding(memories, async (memory, index) => {
      const chosenFacts = chosenFactsIn(memory)
      const modelFacts = completion?.facts[index]?.filter(isNotAmong(chosenFacts)) ?? []
      const known = [...chosenFacts, ...modelFacts]
      const ruleFacts = (await factsByRules(memory)).filter(isNotAmong(known))
      return [
        { facts: chosenFacts, by: BY_CHOICE },
        { facts: modelFacts, by: completion?.model ?? BY_RULES },
        { facts: ruleFacts, by: BY_RULES },
      ].flatMap(({ facts, by }) => facts.map((fact) => toNewFact(memory.memoryId, fact, by)))
    })
    return facts.flat()
  }

  return {
    name: EXTRACTION,
    about: 'Extracts names, homes, work, likes, dates, relations and reminders from memories',
    waitsForModel: models.isConfigured,
    newestFirst: true,
    batch: models.isConfigured ? BATCH.model : BATCH.rules,
    async run(ownerId, memories, lease) {
      const writers = await writersOf([...new Set(memories.map(({ userId }) => userId))])
      const own = memories
        .filter(
          ({ sourceKind, trust }) =>
            trust === 'user' || (trust !== 'external' && !DERIVED_SOURCES.has(sourceKind)),
        )
        .map((memory) => ({
          ...memory,
          timezone: memory.timezone ?? writers.get(memory.userId)?.timezone ?? UTC,
        }))
      const facts: NewFact[] = []
      for (const part of splitByLength(own, maxCharacters)) facts.push(...(await extract(part)))
      const found = await database.transaction(async (query) => {
        await lease.confirm(query)
        return replaceFacts(query, ownerId, memories, facts)
      })
      if (found.length) await onFound?.(ownerId, memories, found)
    },
    stop: () => stopping.abort(),
  }
}

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError'

export const factsByRules = async (memory: ZonedMemory): Promise<Fact[]> => {
  // Loading the rules takes longer than any other part of a start, so the first text does.
  const { factsInYielding } = await import('./rules/index.ts')
  const { contentText, author, occurredAt, createdAt, timezone } = memory
  return factsInYielding(contentText, { author, occurredAt, now: createdAt, timezone })
}

/** Whether no known fact has the same key and subject, or the same kind and an overlapping quote. */
const isNotAmong =
  (known: Fact[]) =>
  ({ subject, key, kind, quote }: Fact): boolean =>
    !known.some(
      (other) =>
        (other.subject === subject && other.key === key) ||
        (other.kind === kind && (other.quote.includes(quote) || quote.includes(other.quote))),
    )

/** Splits memories, in order, into parts of at most `maxCharacters`; a longer memory is a part. */
const splitByLength = (memories: ZonedMemory[], maxCharacters: number): ZonedMemory[][] => {
  const parts: ZonedMemory[][] = []
  let length = 0
  for (const memory of memories) {
    length += memory.contentText.length
    const part = parts.at(-1)
    if (part && length <= maxCharacters) part.push(memory)
    else {
      parts.push([memory])
      length = memory.contentText.length
    }
  }
  return parts
}
