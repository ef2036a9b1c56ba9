import type { Explanation } from '../../../shared/contract/recall.ts'

/** A memory of a recall, as the tool returns it. */
export interface CardMemory {
  memory_id: string
  content_text: string
  truncated?: boolean
  memory_type: string
  tags: string[]
  thread?: string
  author?: string
  occurred_at?: string
  created_at: string
  trust?: string
  superseded_by?: string
  score?: number
  explanation?: Explanation
}

const isMemory = (value: unknown): value is CardMemory => {
  const { memory_id, content_text, created_at } = (value ?? {}) as Partial<CardMemory>
  return [memory_id, content_text, created_at].every((text) => typeof text === 'string')
}

/** The memories of a result. A host may pass on anything. */
export const memoriesIn = (content: Record<string, unknown> | undefined): CardMemory[] =>
  Array.isArray(content?.memories) ? content.memories.filter(isMemory) : []

const TRUST: Readonly<Record<string, string>> = {
  assistant: 'an assistant wrote this',
  imported: 'imported',
  external: 'from outside, not verified',
}

interface Region {
  locale?: string | undefined
  timeZone?: string | undefined
}

/** The date, origin and labels. */
export const describe = (memory: CardMemory, region: Region): string[] =>
  [
    dateOf(memory.occurred_at ?? memory.created_at, region),
    memory.trust && TRUST[memory.trust],
    memory.superseded_by && 'superseded',
    memory.author && `by ${memory.author}`,
    memory.thread && `in ${memory.thread}`,
    ...(Array.isArray(memory.tags) ? memory.tags.map((tag) => `#${tag}`) : []),
  ].flatMap((text) => text || [])

const dateOf = (time: string, { locale, timeZone }: Region): string => {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return ''
  try {
    return date.toLocaleDateString(locale, { dateStyle: 'medium', timeZone })
  } catch {
    // The host named a language or a time zone that there is not.
    return date.toLocaleDateString('en', { dateStyle: 'medium' })
  }
}
