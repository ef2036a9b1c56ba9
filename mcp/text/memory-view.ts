import { type Static, Type } from '@sinclair/typebox'
import type { Memory, Trust } from '../../shared/contract/memories.ts'
import type { Explanation } from '../../shared/contract/recall.ts'
import { listedMoments } from '../../shared/moments.ts'
import { trustNote } from '../../shared/origin.ts'
import { endWithin } from '../../shared/text/cost.ts'

/**
 * A memory as an answer has it, in its text and in its structured content. The schema has no formats,
 * enums and descriptions, because each tool publishes it.
 */
export const MemoryView = Type.Object({
  memory_id: Type.String(),
  content_text: Type.String(),
  truncated: Type.Optional(Type.Boolean()),
  memory_type: Type.String(),
  tags: Type.Array(Type.String()),
  thread: Type.Optional(Type.String()),
  author: Type.Optional(Type.String()),
  agent_slug: Type.Optional(Type.String()),
  project: Type.Optional(Type.String()),
  occurred_at: Type.Optional(Type.String()),
  created_at: Type.String(),
  /** Absent for the user's own word. */
  trust: Type.Optional(Type.Unsafe<Trust>(Type.String())),
  supersedes: Type.Optional(Type.String()),
  superseded_by: Type.Optional(Type.String()),
  score: Type.Optional(Type.Number({ description: 'From 0 to 1, which the best match has.' })),
})
export type MemoryView = Static<typeof MemoryView> & { explanation?: Static<typeof Explanation> }

/** The structured content has the labels in full. The shortest answer has room for a header and an excerpt. */
const MAX_HEADER_CHARS = 240

/** Tags have up to 100 characters, and a memory up to 64 of them. */
const MAX_TAGS_CHARS = 600

type Shown = Memory & { score?: number; explanation?: Static<typeof Explanation> }

/** The fields of a memory that are set, with an excerpt of its content. */
export const viewOf = (
  memory: Shown,
  { text, isTruncated }: { text: string; isTruncated: boolean },
): MemoryView => {
  const { memory_id, memory_type, created_at, source, score, explanation } = memory
  return {
    memory_id,
    content_text: text,
    ...(isTruncated && { truncated: true }),
    memory_type,
    tags: firstTags(memory.tags),
    ...setOnly({
      thread: memory.thread,
      author: memory.author,
      agent_slug: memory.agent_slug,
      project: memory.project,
      occurred_at: memory.occurred_at,
    }),
    created_at,
    ...(trustNote(source) && { trust: source.trust }),
    ...setOnly({ supersedes: memory.supersedes, superseded_by: memory.superseded_by }),
    ...(score !== undefined && { score }),
    ...(explanation && { explanation }),
  }
}

const setOnly = <K extends string>(fields: Record<K, string | null>): { [_ in K]?: string } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [_ in K]?: string
  }

const firstTags = (tags: string[]): string[] => {
  let chars = 0
  return tags.filter((tag) => {
    chars += tag.length
    return chars <= MAX_TAGS_CHARS
  })
}

/** The id, type, date, origin and labels in one line. The trust is before labels that could push it out. */
export const headerOf = (memory: MemoryView, momentOf = listedMoments([])): string => {
  const {
    memory_id,
    memory_type,
    author,
    agent_slug,
    project,
    thread,
    tags,
    trust,
    superseded_by,
  } = memory
  const parts = [
    memory_type,
    momentOf(memory),
    trust && trustNote({ trust }),
    superseded_by && `superseded by ${superseded_by}`,
    author && `by ${oneLine(author)}`,
    agent_slug && `agent ${agent_slug}`,
    project && `project ${project}`,
    thread && `thread ${JSON.stringify(thread)}`,
    tags.length > 0 && `tags ${tags.map((tag) => JSON.stringify(tag)).join(', ')}`,
  ]
  return `${memory_id} (${clip(parts.filter(Boolean).join('; '))})`
}

const clip = (text: string): string => {
  const end = endWithin(text, 0, { limit: MAX_HEADER_CHARS, cost: () => 1 })
  return end < text.length ? `${text.slice(0, end)}…` : text
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
