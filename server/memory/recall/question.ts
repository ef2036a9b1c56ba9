import { allTags, type Trust } from '../../../shared/contract/memories.ts'
import type { Recall } from '../../../shared/contract/recall.ts'
import { wordsOf } from '../../../shared/text/words.ts'
import type { Query } from '../../platform/db/database.ts'
import { createSteps } from '../../platform/event-loop.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { timeBound } from '../../platform/timezone.ts'
import { readableTrust } from '../memories/actor.ts'
import { extractExactForms } from '../text/exact-forms.ts'
import { askedAuthors } from './asked-authors.ts'
import type { Direction } from './date-spans.ts'
import { type DateMention, parseDateMentions } from './dates.ts'
import type { RecallFilter } from './filter-store.ts'

export type RecallCaller = Pick<
  Caller,
  'userId' | 'ownerId' | 'keyId' | 'client' | 'isForOrg' | 'minTrust' | 'timezone' | 'me'
>

/** A request with the number of results of each owner. */
export type LimitedRecall = Recall & { limit: number }

export interface RecallQuestion {
  /** Who asks. */
  userId: string
  text: string
  /** The languages that it may be written in, likeliest first. */
  languages: string[]
  /** The times it names. */
  dates: DateMention[]
  /** The time zone that days begin and end in. */
  timezone: string
  /** In lower case; null: memories without an author. */
  askedAuthors: readonly (string | null)[]
  exactForms: string[]
  wordCount: number
  /** It has a number or an identifier. */
  isExact: boolean
  /** The facts it asks for. */
  facts: FactQuery
  limit: number
}

/** Facts, as `memory_facts` has them. */
export interface FactQuery {
  subjects: string[]
  /** Patterns of LIKE. */
  keys: string[]
}

/** An event that a question names with its relation to the time asked for: "before my birthday". */
export interface NamedEvent {
  direction: Direction
  /** Whose event it is, as subjects of facts. */
  subjects: string[]
  /** The keys that its fact may have, the most specific one first. */
  keys: string[]
}

/** The owner of the facts, who asks, and the user's clock. */
export interface EventContext {
  ownerId: string
  userId: string
  /** The levels of trust of the memories that count; undefined for all. */
  trusts: Trust[] | undefined
  /** The ids of superseded memories that are current for the reader. */
  current: string[]
  now: Date
  timezone: string
}

/** Reads which facts a question asks for. Facts stand above recall, which gets the reader passed in. */
export interface FactReader {
  parseFactQuestion(question: string, ownNames: string[]): FactQuery
  parseNamedEvents(question: string, ownNames: string[]): NamedEvent[]
  readEventDates(query: Query, events: NamedEvent[], context: EventContext): Promise<DateMention[]>
}

/**
 * Reads a question, and yields to the event loop between the steps.
 * @param languages that it may be written in.
 */
export const readQuestion = async (
  caller: RecallCaller,
  { query, limit, languages }: LimitedRecall & Pick<RecallQuestion, 'languages'>,
  reader: FactReader,
): Promise<RecallQuestion & { events: NamedEvent[] }> => {
  const step = createSteps()
  const { display_name } = caller.me
  const ownNames = display_name ? [display_name] : []
  const exactForms = await step(extractExactForms(query))
  return {
    userId: caller.userId,
    text: query,
    exactForms,
    wordCount: wordsOf(query).length,
    isExact: exactForms.length > 0 || /\p{N}/u.test(query),
    languages,
    dates: await step(parseDateMentions(query, new Date(), caller.timezone, languages)),
    timezone: caller.timezone,
    askedAuthors: askedAuthors(query, display_name),
    facts: await step(reader.parseFactQuestion(query, ownNames)),
    events: await step(reader.parseNamedEvents(query, ownNames)),
    limit,
  }
}

export const readFilter = (
  caller: Pick<RecallCaller, 'minTrust' | 'timezone'>,
  body: Recall,
): Omit<RecallFilter, 'agentSlug'> => ({
  memoryType: body.memory_type ?? undefined,
  tags: allTags(body),
  thread: body.thread ?? undefined,
  author: body.author ?? undefined,
  project: body.project ?? undefined,
  inProjects: body.in_project ? [body.in_project] : undefined,
  since: timeBound(body.since, caller.timezone),
  until: timeBound(body.until, caller.timezone),
  trusts: readableTrust(caller, body.min_trust),
  asOf: timeBound(body.as_of, caller.timezone),
})
