import type { Memory, MemoryType } from '../../../shared/contract/memories.ts'
import { useKeptState } from '../../session/drafts.ts'
import { isoOf, localOf } from '../../ui/zone.ts'

/** The fields of a memory as a form has them. */
export interface MemoryDraft {
  content: string
  type: MemoryType
  tags: string[]
  thread: string
  author: string
  /** As `datetime-local` has it, in the time zone of the reader. */
  occurredAt: string
  importance: number
}

export const EMPTY_DRAFT: MemoryDraft = {
  content: '',
  type: 'semantic',
  tags: [],
  thread: '',
  author: '',
  occurredAt: '',
  importance: 0.5,
}

export const draftOf = (memory: Memory): MemoryDraft => ({
  content: memory.content_text,
  type: memory.memory_type,
  tags: memory.tags,
  thread: memory.thread ?? '',
  author: memory.author ?? '',
  occurredAt: memory.occurred_at ? localOf(new Date(memory.occurred_at)) : '',
  importance: memory.importance,
})

/** The body of a request. Fields that are equal to those of `before` are omitted. */
export const bodyOf = (draft: MemoryDraft, before: MemoryDraft) => {
  const isChanged = (name: keyof MemoryDraft) =>
    JSON.stringify(draft[name]) !== JSON.stringify(before[name])
  return {
    ...(isChanged('type') && { memory_type: draft.type }),
    ...(isChanged('tags') && { tags: draft.tags }),
    ...(isChanged('thread') && { thread: draft.thread || null }),
    ...(isChanged('author') && { author: draft.author || null }),
    ...(isChanged('occurredAt') && {
      occurred_at: draft.occurredAt ? isoOf(draft.occurredAt) : null,
    }),
    ...(isChanged('importance') && { importance: draft.importance }),
  }
}

export type ChangeDraft = (change: Partial<MemoryDraft>) => void

/**
 * @param key names the form.
 * @param initial is read once: what another program changes meanwhile is not a change of this user.
 */
export const useDraft = (key: string, initial: MemoryDraft) => {
  const [state, setState] = useKeptState(key, () => ({ before: initial, draft: initial }))
  const change: ChangeDraft = (part) =>
    setState(({ before, draft }) => ({ before, draft: { ...draft, ...part } }))
  return { ...state, change }
}
