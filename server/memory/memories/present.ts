import type { Memory, MemoryEvent } from '../../../shared/contract/memories.ts'
import type { MemoryWithThread, ShownMemory } from './store.ts'
import type { VisibleSuccession } from './succession-store.ts'
import type { memoryHistory } from './table.ts'

const iso = (instant: Date | null) => instant?.toISOString() ?? null

/** A memory for a reader, as the successors leave it that they may read. */
export const presentVisible = (
  memory: ShownMemory,
  successions: ReadonlyMap<string, VisibleSuccession>,
): Memory => {
  const visible = successions.get(memory.memoryId)
  if (!visible) return presentMemory(memory)
  const { successor } = visible
  const validTo = successor ? memory.validTo : null
  return presentMemory({ ...memory, supersededBy: successor, validTo })
}

export const presentMemory = (memory: ShownMemory): Memory => ({
  memory_id: memory.memoryId,
  content_text: memory.contentText,
  memory_type: memory.memoryType,
  importance: memory.importance,
  tags: memory.tags,
  thread: memory.thread,
  position: memory.position,
  author: memory.author,
  agent_slug: memory.agentSlug,
  project: memory.project,
  org_id: memory.orgId,
  source: { kind: memory.sourceKind, ref: memory.sourceRef, trust: memory.trust },
  metadata: memory.metadata,
  occurred_at: iso(memory.occurredAt),
  created_at: memory.createdAt.toISOString(),
  updated_at: memory.updatedAt.toISOString(),
  valid_from: iso(memory.validFrom),
  valid_to: iso(memory.validTo),
  supersedes: memory.supersedes,
  superseded_by: memory.supersededBy,
})

/** The creation is read from the memory's own row; later changes are stored as events. */
export const presentCreation = (memory: MemoryWithThread): MemoryEvent => ({
  id: memory.memoryId,
  action: 'created',
  actor: { kind: memory.sourceKind, ref: memory.sourceRef },
  before: null,
  created_at: memory.createdAt.toISOString(),
})

export const presentEvent = (event: typeof memoryHistory.$inferSelect): MemoryEvent => ({
  id: event.id,
  action: event.action,
  actor: { kind: event.actorKind, ref: event.actorRef },
  before: event.before && {
    ...event.before,
    occurred_at: event.before.occurred_at && new Date(event.before.occurred_at).toISOString(),
  },
  created_at: event.createdAt.toISOString(),
})
