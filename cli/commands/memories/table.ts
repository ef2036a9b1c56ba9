import type { Client } from '../../../shared/client.ts'
import type { Memory } from '../../../shared/contract/memories.ts'
import { trustNote } from '../../../shared/origin.ts'
import type { Context } from '../../context.ts'
import { printList } from '../../list.ts'
import { memoryIdsNear } from './ids.ts'

interface Table {
  memories: readonly Memory[]
  /** Whether they are deleted ones. */
  deleted?: boolean | undefined
  empty?: string
  /** The value for `--json`. */
  response?: unknown
}

const isOfOthers = ({ source }: Memory): boolean => trustNote(source) !== undefined

/** Empty for the user's own word. */
const trustOf = (memory: Memory): string => (isOfOthers(memory) ? memory.source.trust : '')

const isSuperseded = ({ superseded_by }: Memory): boolean => superseded_by !== null

const stateOf = (memory: Memory): string => (isSuperseded(memory) ? 'superseded' : '')

/** Prints memories as a table, or as JSON. */
export const printMemories = (
  context: Context,
  client: Client,
  { memories, deleted = false, empty = 'No memories match.', response }: Table,
): Promise<void> =>
  printList(context, {
    items: memories,
    id: ({ memory_id }) => memory_id,
    allIds: () =>
      memoryIdsNear(
        client,
        memories.map(({ memory_id }) => memory_id),
        deleted,
      ),
    columns: {
      DATE: ({ occurred_at, created_at }) => (occurred_at ?? created_at).slice(0, 10),
      TYPE: ({ memory_type }) => memory_type,
      ...(memories.some(isOfOthers) && { TRUST: trustOf }),
      ...(memories.some(isSuperseded) && { STATE: stateOf }),
      MEMORY: ({ content_text }) => content_text,
    },
    minor: ['TYPE', 'DATE'],
    empty,
    response,
  })
