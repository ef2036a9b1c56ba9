import type { OnMessage } from '../../../conversation/on-message.ts'
import type { Engine } from '../../../memory/engines/engine.ts'
import { ANSWER_SOURCE } from '../../../memory/memories/actor.ts'
import type { Connections } from '../../../platform/db/database.ts'
import { REFLEX_SOURCE } from '../firings/firing.ts'
import type { Events, ReflexEvent } from './events.ts'

const BATCH = 100
/** Firings, which deduplicate by event, are kept for 30 days; older memories count only if unchanged. */
const DEDUPLICATED_MS = 29 * 24 * 60 * 60 * 1000

type Memory = Parameters<Engine['run']>[1][number]

/** A new memory triggers the reflexes of its writer, once, however often it is changed. */
export const createMemoryTrigger = (
  { db, queryIn }: Connections,
  events: Pick<Events, 'emit'>,
): Engine => ({
  name: 'reflexes',
  about: 'New memories trigger the reflexes of their writer',
  batch: BATCH,
  skipsImports: true,
  async run(_ownerId, memories, lease) {
    const byWriter = Map.groupBy(memories.filter(isNew), ({ userId }) => userId)
    for (const [userId, written] of byWriter)
      await db.transaction(async (tx) => {
        await lease.confirm(queryIn(tx))
        await events.emit(tx, userId, written.map(eventOf))
      })
  },
})

/** Only the user's own words and the memories of tool calls; not an assistant's answers, files and pages. */
const isNew = ({ sourceKind, trust, createdAt, updatedAt }: Memory): boolean =>
  sourceKind !== REFLEX_SOURCE &&
  sourceKind !== ANSWER_SOURCE &&
  (trust === 'user' || trust === 'assistant') &&
  (updatedAt.getTime() === createdAt.getTime() ||
    Date.now() - createdAt.getTime() < DEDUPLICATED_MS)

const eventOf = (memory: Memory): ReflexEvent => ({
  key: `memory:${memory.memoryId}`,
  occurredAt: memory.createdAt,
  event: {
    type: 'memory',
    memory_id: memory.memoryId,
    content_text: memory.contentText,
    memory_type: memory.memoryType,
    importance: memory.importance,
    tags: memory.tags,
    thread: memory.thread,
    author: memory.author,
    agent_slug: memory.agentSlug,
    trust: memory.trust,
    created_at: memory.createdAt.toISOString(),
  },
})

/** A message triggers the reflexes of the user. */
export const createMessageTrigger =
  (events: Pick<Events, 'emit'>): OnMessage =>
  (tx, userId, { source, messageId, content, about }) =>
    events.emit(tx, userId, [
      {
        key: `message:${messageId}`,
        event: { type: 'message', source, message_id: messageId, content, ...about },
      },
    ])
