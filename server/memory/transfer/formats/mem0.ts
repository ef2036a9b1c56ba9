import { isObject } from '../../../../shared/objects.ts'
import {
  type Format,
  importSource,
  isText,
  parseForeignInstant,
  type RawMemory,
  splitContent,
  toStorable,
} from './format.ts'

/** A memory in the format of mem0's API and library. */
export const mem0: Format = {
  matches: ({ memory }) => isText(memory),
  *read(record): Generator<RawMemory> {
    const { id, memory, metadata, categories, created_at, updated_at, score: _, ...others } = record
    const { run_id, agent_id } = others
    const created = parseForeignInstant(created_at)
    const otherFields = Object.entries(others).filter(([, value]) => value !== null)
    for (const content_text of splitContent(toStorable(String(memory))))
      yield {
        content_text,
        tags: tagsOf(categories),
        thread: isText(run_id) ? toStorable(`mem0:${run_id}`).slice(0, 500) : null,
        agent_slug: isText(agent_id) ? toStorable(agent_id).slice(0, 100) : null,
        source: importSource('mem0', id),
        // Fields without an equivalent are kept in the metadata.
        metadata: toStorable({
          ...(isObject(metadata) && metadata),
          ...(otherFields.length > 0 && { mem0: Object.fromEntries(otherFields) }),
        }),
        occurred_at: created ?? null,
        ...(created && { created_at: created }),
        ...(created && { updated_at: parseForeignInstant(updated_at) ?? created }),
      }
  },
}

const tagsOf = (categories: unknown): string[] => {
  const names = Array.isArray(categories) ? categories.filter(isText) : []
  return [...new Set(names.map((name) => toStorable(name).slice(0, 100)))].slice(0, 64)
}
