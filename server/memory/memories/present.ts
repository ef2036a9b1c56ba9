import type { Memory } from '../../../shared/schemas/memory.ts'
import type { MemoryWithThread } from './store.ts'

const iso = (instant: Date | null) => instant?.toISOString() ?? null

export const presentMemory = (memory: MemoryWithThread): Memory => ({
  memory_id: memory.memoryId,
  content_text: memory.contentText,
  memory_type: memory.memoryType,
  importance: memory.importance,
  tags: memory.tags,
  thread: memory.thread,
  position: memory.position,
  author: memory.author,
  agent_slug: memory.agentSlug,
  org_id: memory.orgId,
  source: { kind: memory.sourceKind, ref: memory.sourceRef },
  metadata: memory.metadata,
  occurred_at: iso(memory.occurredAt),
  created_at: memory.createdAt.toISOString(),
  updated_at: memory.updatedAt.toISOString(),
  valid_from: iso(memory.validFrom),
  valid_to: iso(memory.validTo),
  supersedes: memory.supersedes,
  superseded_by: memory.supersededBy,
})
