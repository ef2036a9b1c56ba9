import type { JsonObject } from '../../../../shared/objects.ts'
import {
  type Format,
  importSource,
  isText,
  type RawMemory,
  splitContent,
  toStorable,
} from './format.ts'

/**
 * `memory.jsonl` of the MCP reference memory server, a knowledge graph: each observation of an entity
 * and each relation becomes a memory.
 */
export const mcp: Format = {
  matches: ({ type, name, from, to, relationType }) =>
    (type === 'entity' && isText(name)) ||
    (type === 'relation' && [from, to, relationType].every(isText)),
  read: (record) => (record.type === 'entity' ? entity(record) : relation(record)),
}

function* entity({ name, entityType, observations }: JsonObject): Generator<RawMemory> {
  const texts = Array.isArray(observations) ? observations.filter(isText) : []
  const facts = texts.length ? texts : [entityType].filter(isText)
  let position = 0
  for (const fact of facts)
    for (const content_text of splitContent(toStorable(`${name}: ${fact}`)))
      yield {
        content_text,
        thread: threadOf(name),
        position: ++position,
        tags: isText(entityType) ? [toStorable(entityType).slice(0, 100)] : [],
        source: importSource('mcp-memory', name),
        metadata: toStorable({
          entity: name,
          ...(isText(entityType) && { entity_type: entityType }),
        }),
      }
}

function* relation({ from, to, relationType }: JsonObject): Generator<RawMemory> {
  for (const content_text of splitContent(toStorable(`${from} ${relationType} ${to}`)))
    yield {
      content_text,
      thread: threadOf(from),
      tags: ['relation'],
      source: importSource('mcp-memory', from),
      metadata: toStorable({ from, to, relation_type: relationType }),
    }
}

const threadOf = (name: unknown) => toStorable(`mcp-memory:${name}`).slice(0, 500)
