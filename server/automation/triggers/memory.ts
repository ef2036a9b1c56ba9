import type { Engine } from '../../memory/engines/engine.ts'
import type { Database } from '../../platform/db/database.ts'
import { REFLEX_SOURCE } from '../actions/remember.ts'
import type { Events, Happening } from '../firings/events.ts'

const BATCH = 100
/** So long it is known of which memories a reflex has fired; an older one counts if it was never changed. */
const KNOWN_MS = 29 * 24 * 60 * 60 * 1000

type Memory = Parameters<Engine['run']>[1][number]

/** Has a new memory trigger the reflexes of whoever wrote it, once, however often it is changed. */
export const createMemoryTrigger = ({ db }: Database, events: Pick<Events, 'raise'>): Engine => ({
  name: 'reflexes',
  about: 'Lets new memories trigger the reflexes of whoever wrote them',
  batch: BATCH,
  /** What is brought in from elsewhere is not new. */
  skipsImports: true,
  async run(_ownerId, memories) {
    const told = memories.filter(isNew)
    for (const [userId, theirs] of Map.groupBy(told, ({ userId }) => userId))
      await db.transaction((tx) => events.raise(tx, userId, theirs.map(happeningOf)))
  },
})

const isNew = ({ sourceKind, createdAt, updatedAt }: Memory): boolean =>
  sourceKind !== REFLEX_SOURCE &&
  (updatedAt.getTime() === createdAt.getTime() || Date.now() - createdAt.getTime() < KNOWN_MS)

const happeningOf = (memory: Memory): Happening => ({
  key: `memory:${memory.memoryId}`,
  since: memory.createdAt,
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
    created_at: memory.createdAt.toISOString(),
  },
})
