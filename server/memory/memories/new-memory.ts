import type { Remember, UpdateMemory } from '../../../shared/contract/memories.ts'
import type { ImportedMemory } from '../../../shared/contract/transfer.ts'
import type { Actor } from './actor.ts'
import { contentColumns, isoInstant } from './content.ts'
import type { NewMemory } from './insert-store.ts'

/** A memory that was exported elsewhere, with the id that it gets. */
export type AdoptedMemory = ImportedMemory & { memory_id: string }

const placeColumns = ({
  memory_type,
  importance,
  tags,
  thread,
  position,
  author,
  agent_slug,
  metadata,
  occurred_at,
}: Remember | AdoptedMemory) => ({
  memory_type,
  importance,
  tags: [...new Set(tags)],
  thread: thread ?? null,
  position: position ?? null,
  author: author ?? null,
  agent_slug: agent_slug ?? null,
  metadata,
  occurred_at: isoInstant(occurred_at),
})

export const newMemory = async (source: Actor, body: Remember): Promise<NewMemory> => ({
  memory_id: Bun.randomUUIDv7(),
  ...(await contentColumns(body.content)),
  ...placeColumns(body),
  source_kind: source.kind,
  source_ref: source.ref,
})

export const newAdoptedMemory = async (adopted: AdoptedMemory): Promise<NewMemory> => ({
  memory_id: adopted.memory_id,
  ...(await contentColumns(adopted.content_text, adopted.language)),
  ...placeColumns(adopted),
  source_kind: adopted.source?.kind ?? 'import',
  source_ref: adopted.source?.ref ?? null,
  created_at: isoInstant(adopted.created_at),
  updated_at: isoInstant(adopted.updated_at),
  valid_from: isoInstant(adopted.valid_from),
  valid_to: isoInstant(adopted.valid_to),
  supersedes: adopted.supersedes ?? null,
  superseded_by: adopted.superseded_by ?? null,
})

/** The columns that an update changes. */
export const changedColumns = async ({
  content,
  tags,
  occurred_at,
  supersedes: _,
  ...others
}: UpdateMemory): Promise<Partial<NewMemory>> => ({
  ...others,
  ...(content !== undefined && (await contentColumns(content))),
  ...(tags !== undefined && { tags: [...new Set(tags)] }),
  ...(occurred_at !== undefined && { occurred_at: isoInstant(occurred_at) }),
})
