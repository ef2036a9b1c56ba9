import { type Format, importedFrom, type Told } from './format.ts'
import { inParts, instantOf, isObject, isText, type JsonObject, storable } from './values.ts'

/** A memory of mem0, as its API and its library list them. */
export const mem0: Format = {
  matches: ({ memory }) => isText(memory),
  *read(record): Generator<Told> {
    const { id, memory, metadata, categories, created_at, updated_at, score: _, ...others } = record
    const { run_id, agent_id } = others
    const created = instantOf(created_at)
    const known = Object.entries(others).filter(([, value]) => value !== null)
    for (const content_text of inParts(storable(String(memory))))
      yield {
        content_text,
        tags: tagsOf(categories),
        thread: isText(run_id) ? storable(`mem0:${run_id}`).slice(0, 500) : null,
        agent_slug: isText(agent_id) ? storable(agent_id).slice(0, 100) : null,
        source: importedFrom('mem0', id),
        // What has no field of its own here is kept beside what was kept beside it there.
        metadata: storable({
          ...(isObject(metadata) && metadata),
          ...(known.length > 0 && { mem0: Object.fromEntries(known) as JsonObject }),
        }),
        occurred_at: created ?? null,
        ...(created && { created_at: created }),
        ...(created && { updated_at: instantOf(updated_at) ?? created }),
      }
  },
}

const tagsOf = (categories: unknown): string[] => {
  const names = Array.isArray(categories) ? categories.filter(isText) : []
  return [...new Set(names.map((name) => storable(name).slice(0, 100)))].slice(0, 64)
}
