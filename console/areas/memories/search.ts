import { AssistantClient } from '../../../shared/contract/capture.ts'
import {
  MEMORY_TYPES,
  type MemoryType,
  TRUST_LEVELS,
  type Trust,
} from '../../../shared/contract/memories.ts'
import type { MemoryOrder } from '../../../shared/contract/memory-lists.ts'
import type { Recall, ScopeMode } from '../../../shared/contract/recall.ts'
import { serverNow } from '../../session/clock.ts'
import { startOf } from '../../ui/zone.ts'

export const SCOPES = ['personal', 'org', 'all', 'tiered', 'agent'] as const

/** The query and the filters of the list of memories, as in its address. Days are `2026-01-31`. */
export interface MemorySearch {
  q?: string
  type?: MemoryType
  thread?: string
  tag?: string
  author?: string
  agent?: string
  project?: string
  /** The assistant that it was captured from. */
  client?: string
  trust?: Trust
  sort?: MemoryOrder
  scope?: ScopeMode
  since?: string
  until?: string
  as_of?: string
  /** The trash. */
  deleted?: true
}

const TEXTS = ['q', 'project', 'thread', 'tag', 'author', 'agent'] as const
const DAYS = ['since', 'until', 'as_of'] as const

/** The router parses values as JSON, so that a hand-written `?q=12` is a number. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

const isDay = (text: string): boolean =>
  text.length === 10 && !Number.isNaN(Date.parse(`${text}T00:00`))

/** Reads an address; a value that is not valid is dropped. */
export const parseMemorySearch = (raw: Record<string, unknown>): MemorySearch => {
  const search: MemorySearch = {}
  for (const name of TEXTS) {
    const text = textOf(raw[name])
    if (text.trim()) search[name] = text
  }
  for (const name of DAYS) {
    const day = textOf(raw[name])
    if (isDay(day)) search[name] = day
  }
  const type = MEMORY_TYPES.find((each) => each === raw.type)
  if (type) search.type = type
  const scope = SCOPES.find((each) => each === raw.scope)
  if (scope) search.scope = scope
  const trust = TRUST_LEVELS.find((each) => each === raw.trust)
  if (trust) search.trust = trust
  const { client } = parseCapturedSearch(raw)
  if (client) search.client = client
  if (raw.sort === 'happened') search.sort = 'happened'
  if (raw.deleted === true) search.deleted = true
  return search
}

const { maxLength, pattern } = AssistantClient()
const MAX_CLIENT_LENGTH = Number(maxLength)
const CLIENT = new RegExp(String(pattern))

/**
 * The filter of captured conversations. A name that no assistant can have is replaced by undefined: the
 * router keeps values of the address that are only left out.
 */
export const parseCapturedSearch = (
  raw: Record<string, unknown>,
): { client?: string | undefined } => {
  const client = textOf(raw.client)
  const isValid = client.length <= MAX_CLIENT_LENGTH && CLIENT.test(client)
  return { client: isValid ? client : undefined }
}

/** The order and filters of the list of memories; the others apply to a recall only. */
export const listQuery = (search: MemorySearch) => ({
  ...(search.type && { memory_type: search.type }),
  ...(search.project && { project: search.project }),
  ...(search.thread && { thread: search.thread }),
  ...(search.tag && { tag: search.tag }),
  ...(search.author && { author: search.author }),
  ...(search.agent && { agent_slug: search.agent }),
  ...(search.client && { client: search.client }),
  ...(search.trust && { trust: search.trust }),
  ...(search.since && { since: startOf(search.since) }),
  // `until` is exclusive in the API, and includes the day here.
  ...(search.until && { until: startOf(search.until, 1) }),
  ...(search.deleted && { deleted: search.deleted }),
  ...(search.sort && { sort: search.sort }),
})

/** The last moment of a day, or now for today. */
const endOf = (day: string): string =>
  new Date(Math.min(Date.parse(startOf(day, 1)) - 1, serverNow())).toISOString()

export const RECALL_LIMIT = 50

export const recallBody = (
  search: MemorySearch,
  query: string,
): Partial<Recall> & { query: string } => ({
  query,
  limit: RECALL_LIMIT,
  explain: true,
  ...(search.type && { memory_type: search.type }),
  ...(search.project && { project: search.project }),
  ...(search.thread && { thread: search.thread }),
  ...(search.tag && { tags: [search.tag] }),
  ...(search.author && { author: search.author }),
  ...(search.agent && { agent_slug: search.agent }),
  ...(search.scope && { scope: search.scope }),
  ...(search.since && { since: startOf(search.since) }),
  // `until` is exclusive in the API, and includes the day here.
  ...(search.until && { until: startOf(search.until, 1) }),
  ...(search.as_of && { as_of: endOf(search.as_of) }),
})
