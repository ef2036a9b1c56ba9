import { createHash } from 'node:crypto'
import { parseInstant } from '../../../shared/contract/common.ts'
import type { Remember, Trust, UpdateMemory } from '../../../shared/contract/memories.ts'
import type { ImportedMemory } from '../../../shared/contract/transfer.ts'
import {
  foldLabel,
  normalizeLabel,
  uniqueLabels,
  withoutInvisible,
} from '../../../shared/labels.ts'
import { budgets } from '../../platform/budgets.ts'
import { timezoneNamed } from '../../platform/timezone.ts'
import { withoutGiven } from '../text/given.ts'
import { detectLanguages, isLanguage } from '../text/language.ts'
import type { Source } from './actor.ts'
import { memoryError } from './errors.ts'
import type { NewMemory } from './insert-store.ts'

export const isoInstant = (text: string | null | undefined): string | null =>
  text ? (parseInstant(text)?.toISOString() ?? null) : null

const MAX_METADATA_CHARACTERS = budgets.memoryMetadata.characters

/** @returns the error of metadata that is too long, without its place in the request. */
export const metadataProblem = (
  metadata: Record<string, unknown> | undefined,
): { type: string; msg: string } | undefined =>
  metadata && JSON.stringify(metadata).length > MAX_METADATA_CHARACTERS
    ? {
        type: 'too_long',
        msg: `Metadata should have at most ${MAX_METADATA_CHARACTERS} characters as JSON`,
      }
    : undefined

/**
 * The columns that are derived from a memory's content, which every writer passes: memories that svc gave to a
 * model are not learned again.
 * @throws ApiError 422 for a text without any other words.
 * @param language that it was found to be written in before, of an import.
 */
export const contentColumns = async (text: string, language?: string) => {
  const content = withoutGiven(text)
  if (content === '') throw memoryError('nothing_new')
  return {
    content_text: content,
    content_hash: contentHash(content),
    ...earlierHash(content),
    languages: isLanguage(language) ? [language] : detectLanguages(content),
    asks: QUESTION_MARK.test(content),
    ends_asking: QUESTION_MARK.test(content.trimEnd().slice(-1)),
  }
}

/** The question marks of the scripts that have one of their own. */
const QUESTION_MARK = /[?\u037E\u061F\uFF1F]/

/** The first 128 bits of SHA-256, as a UUID: PostgreSQL stores 128 bits most compactly as one. */
const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

/** Contents with the same hash are the same memory: invisible characters make no other one. */
export const contentHash = (content: string): string => hash(withoutInvisible(content))

/** Earlier versions hashed invisible characters too. */
const earlierHash = (content: string): { earlier_hash?: string } => {
  const earlier = hash(content)
  return earlier === contentHash(content) ? {} : { earlier_hash: earlier }
}

/**
 * @param path where an item is in the body.
 * @throws ApiError 422 that names each item with too much metadata.
 */
export const checkMetadata = (
  items: { metadata?: Record<string, unknown> }[],
  path: (index: number) => (string | number)[] = () => [],
): void => {
  const errors = items.flatMap(({ metadata }, index) => {
    const problem = metadataProblem(metadata)
    return problem ? [{ loc: ['body', ...path(index), 'metadata'], ...problem }] : []
  })
  if (errors.length) throw memoryError('metadata_too_long', errors)
}

/** A memory that was exported elsewhere, with the trust that its import has found. */
export type TrustedImport = ImportedMemory & { trust: Trust }
/** The same with the id that it gets. */
export type MemoryImport = TrustedImport & { memory_id: string }

/** @param tags in the order of their use. */
export const tagColumns = (tags: string[]) => {
  const unique = uniqueLabels(tags)
  return { tags: unique, folded_tags: foldedTags(unique) }
}

const authorColumns = (given: string | null | undefined) => {
  const author = normalizeLabel(given ?? '') || null
  return { author, folded_author: foldedAuthor(author) }
}

export const labelColumns = (tags: string[], author: string | null | undefined) => ({
  ...tagColumns(tags),
  ...authorColumns(author),
})

/** Empty where the tags are folded. */
const foldedTags = (tags: string[]): string[] => {
  const folded = tags.map(foldLabel)
  return folded.every((tag, index) => tag === tags[index]) ? [] : folded
}

/** Null where the name is folded. */
const foldedAuthor = (author: string | null): string | null => {
  const folded = author && foldLabel(author)
  return folded === author ? null : folded
}

/** The folded labels of a stored memory. */
export const foldedColumns = (tags: string[], author: string | null) => ({
  folded_tags: foldedTags(tags),
  folded_author: foldedAuthor(author),
})

const placeColumns = ({
  memory_type,
  importance,
  tags,
  thread,
  position,
  author,
  agent_slug,
  project,
  metadata,
  occurred_at,
}: Remember | MemoryImport) => ({
  memory_type,
  importance: importance ?? null,
  ...labelColumns(tags, author),
  thread: thread ?? null,
  position: position ?? null,
  agent_slug: agent_slug ?? null,
  project: project ?? null,
  metadata,
  occurred_at: isoInstant(occurred_at),
})

export const newMemory = async (source: Source, body: Remember): Promise<NewMemory> => ({
  memory_id: Bun.randomUUIDv7(),
  ...(await contentColumns(body.content)),
  ...placeColumns(body),
  source_kind: source.kind,
  source_ref: source.ref,
  trust: source.trust,
})

/** A message of a conversation with an assistant. */
export interface CapturedMemory {
  /** Client, session, turn and role, and the number of the part of a long one. */
  key: string[]
  body: Remember
  source: Source
}

/** Identifies a captured message. */
export const captureKeyOf = (key: string[]): string => hash(JSON.stringify(key))

/** The hash of its key takes the place of that of its content: "yes" twice in a thread is two messages. */
export const newCapturedMemory = async ({
  key,
  body,
  source,
}: CapturedMemory): Promise<NewMemory> => {
  const captureKey = captureKeyOf(key)
  return { ...(await newMemory(source, body)), content_hash: captureKey, capture_key: captureKey }
}

export const newImportedMemory = async (imported: MemoryImport): Promise<NewMemory> => ({
  memory_id: imported.memory_id,
  ...(await contentColumns(imported.content_text, imported.language)),
  ...placeColumns(imported),
  source_kind: imported.source?.kind ?? 'import',
  source_ref: imported.source?.ref ?? null,
  trust: imported.trust,
  created_at: isoInstant(imported.created_at),
  updated_at: isoInstant(imported.updated_at),
  valid_from: isoInstant(imported.valid_from),
  valid_to: isoInstant(imported.valid_to),
  timezone: (imported.timezone && timezoneNamed(imported.timezone)) || null,
  supersedes: imported.supersedes ?? null,
  superseded_by: imported.superseded_by ?? null,
})

/**
 * The columns that an update changes.
 * @param editor their trust and time zone, which count where the content changes.
 */
export const changedColumns = async (
  { content, tags, author, occurred_at, supersedes: _, ...others }: UpdateMemory,
  editor: Pick<NewMemory, 'trust'> & { timezone: string | null },
): Promise<Partial<NewMemory>> => ({
  ...others,
  ...(content !== undefined && { ...(await contentColumns(content)), ...editor }),
  ...(tags !== undefined && tagColumns(tags)),
  ...(author !== undefined && authorColumns(author)),
  ...(occurred_at !== undefined && { occurred_at: isoInstant(occurred_at) }),
})
