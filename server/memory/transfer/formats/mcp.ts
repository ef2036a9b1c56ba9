import { type Format, importedFrom, type Told } from './format.ts'
import { inParts, isText, type JsonObject, storable } from './values.ts'

/**
 * `memory.jsonl` of the knowledge graph that MCP's own memory server keeps: each observation of an
 * entity is a memory, and so is each relation.
 */
export const mcp: Format = {
  matches: ({ type, name, from, to, relationType }) =>
    (type === 'entity' && isText(name)) ||
    (type === 'relation' && [from, to, relationType].every(isText)),
  read: (record) => (record.type === 'entity' ? entity(record) : relation(record)),
}

function* entity({ name, entityType, observations }: JsonObject): Generator<Told> {
  const seen = Array.isArray(observations) ? observations.filter(isText) : []
  const facts = seen.length ? seen : [entityType].filter(isText)
  let position = 0
  for (const fact of facts)
    for (const content_text of inParts(storable(`${name}: ${fact}`)))
      yield {
        content_text,
        thread: threadOf(name),
        position: ++position,
        tags: isText(entityType) ? [storable(entityType).slice(0, 100)] : [],
        source: importedFrom('mcp-memory', name),
        metadata: storable({
          entity: name,
          ...(isText(entityType) && { entity_type: entityType }),
        }),
      }
}

function* relation({ from, to, relationType }: JsonObject): Generator<Told> {
  for (const content_text of inParts(storable(`${from} ${relationType} ${to}`)))
    yield {
      content_text,
      thread: threadOf(from),
      tags: ['relation'],
      source: importedFrom('mcp-memory', from),
      metadata: storable({ from, to, relation_type: relationType }),
    }
}

const threadOf = (name: unknown) => storable(`mcp-memory:${name}`).slice(0, 500)
