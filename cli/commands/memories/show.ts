import { getMemory, type Memory } from '../../../shared/contract/memories.ts'
import { captureNote, trustNote } from '../../../shared/origin.ts'
import { type Context, signedInClient } from '../../context.ts'
import { resolveId } from '../../ids.ts'
import { formatFields } from '../../list.ts'
import { jsonLine, stripControls } from '../../output.ts'
import { memoryIds } from './ids.ts'

/** Prints a memory with its metadata. */
export const runMemoriesShow = async (context: Context, { id }: { id: string }): Promise<void> => {
  const { io } = context
  const client = signedInClient(context)
  const memory_id = await resolveId(id, memoryIds(client))
  const memory = await client.call(getMemory, { params: { memory_id } })
  if (context.json) return io.printJson(memory)
  const lines = formatFields(memoryFields(memory))
  io.print(`${stripControls(memory.content_text)}\n\n${lines.map(io.dim).join('\n')}`)
}

const memoryFields = (memory: Memory) => ({
  id: memory.memory_id,
  type: memory.memory_type,
  importance: memory.importance,
  tags: memory.tags.join(', '),
  thread: memory.thread,
  project: memory.project,
  position: memory.thread === null ? null : memory.position,
  author: memory.author,
  agent: memory.agent_slug,
  organization: memory.org_id,
  source:
    captureNote(memory.source) ?? [memory.source.kind, memory.source.ref].filter(Boolean).join(' '),
  trust: trustNote(memory.source),
  metadata: Object.keys(memory.metadata).length ? jsonLine(memory.metadata) : null,
  occurred: memory.occurred_at,
  created: memory.created_at,
  updated: memory.updated_at === memory.created_at ? null : memory.updated_at,
  supersedes: memory.supersedes,
  'superseded by': memory.superseded_by,
})
