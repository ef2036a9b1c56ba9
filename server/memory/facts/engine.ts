import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { ModelFailure } from '../../platform/models/failure.ts'
import type { Models } from '../../platform/models/types.ts'
import { UTC } from '../../platform/timezone.ts'
import type { Engine } from '../engines/engine.ts'
import { choiceIn } from './chosen.ts'
import { factsByModel } from './model.ts'
import { type Fact, factsIn } from './rules/index.ts'
import type { Said } from './said.ts'
import { type NewFact, newFact, replaceFacts } from './store.ts'

export const EXTRACTION = 'extraction'

/**
 * The sources of what the person did not say. An answer was written from memories: it would only
 * confirm what was remembered, or what a model made of it. Who says "I" on a page is somebody else.
 */
const DERIVED_SOURCES: ReadonlySet<string> = new Set(['answer', 'page'])

export const BY_RULES = 'rules'
/** A person chose it. */
export const BY_CHOICE = 'choice'
/** Rules are quick; what a model is asked at a time should leave it room to answer. */
const BATCH = { rules: 100, model: 8 }
const CHARACTERS_PER_TOKEN = 3
const SHARE_OF_WINDOW = 0.25

interface Reading {
  facts: Fact[]
  by: string
}

/** Reads out of memories what they say about people: by rules, and by a model where there is one. */
export const createExtraction = (
  database: Database,
  models: Models,
  log: Log,
  /** Where people are, by their ids. */
  timezonesOf: (userIds: string[]) => Promise<Map<string, string>>,
): Engine => {
  const maxCharacters = models.contextTokens * SHARE_OF_WINDOW * CHARACTERS_PER_TOKEN

  const stopping = new AbortController()

  /** Undefined when no model answers, or not as it was asked to. */
  const byModel = async (memories: Said[]) => {
    if (!models.isConfigured) return undefined
    try {
      return await factsByModel(models, memories, stopping.signal)
    } catch (error) {
      stopping.signal.throwIfAborted()
      if (!(error instanceof ModelFailure) && !isTimeout(error)) throw error
      log.warn({ error }, 'memories are read by rules alone, because no model did')
      return undefined
    }
  }

  /** What was chosen in each memory, what the model says of it, and what the rules find besides. */
  const read = async (memories: Said[]): Promise<NewFact[]> => {
    const answer = await byModel(memories)
    return memories.flatMap((memory, index) => {
      const chosen: Reading = { facts: choiceIn(memory), by: BY_CHOICE }
      const said = answer?.facts[index]?.filter(isNewTo(chosen.facts)) ?? []
      const known: Reading = { facts: said, by: answer?.model ?? BY_RULES }
      const read = byRules(memory).filter(isNewTo([...chosen.facts, ...said]))
      return [chosen, known, { facts: read, by: BY_RULES }].flatMap(({ facts, by }) =>
        facts.map((fact) => newFact(memory.memoryId, fact, by)),
      )
    })
  }

  return {
    name: EXTRACTION,
    about: 'Reads names, homes, work, likes, days, relations and reminders out of memories',
    batch: models.isConfigured ? BATCH.model : BATCH.rules,
    async run(ownerId, memories) {
      const timezones = await timezonesOf([...new Set(memories.map(({ userId }) => userId))])
      const own = memories
        .filter(({ sourceKind }) => !DERIVED_SOURCES.has(sourceKind))
        .map((memory) => ({ ...memory, timezone: timezones.get(memory.userId) ?? UTC }))
      const facts: NewFact[] = []
      for (const part of partsOf(own, maxCharacters)) {
        facts.push(...(await read(part)))
        // A hundred long memories take the rules a second.
        await othersTurn()
      }
      const memoryIds = memories.map(({ memoryId }) => memoryId)
      await replaceFacts(database.query, ownerId, memoryIds, facts)
    },
    stop: () => stopping.abort(),
  }
}

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError'

export const byRules = ({ contentText, author, occurredAt, createdAt, timezone }: Said): Fact[] =>
  factsIn(contentText, { author, occurredAt, now: createdAt, timezone })

/** Whether none of `known` says the same, maybe in other words. */
const isNewTo =
  (known: Fact[]) =>
  ({ subject, key, kind, quote }: Fact): boolean =>
    !known.some(
      (other) =>
        (other.subject === subject && other.key === key) ||
        (other.kind === kind && (other.quote.includes(quote) || quote.includes(other.quote))),
    )

/** Memories in their order, as many at a time as have no more than so many characters. */
const partsOf = (memories: Said[], maxCharacters: number): Said[][] => {
  const parts: Said[][] = []
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
