import {
  deleteMemory,
  type Memory,
  restoreMemory,
  updateMemory,
} from '../../../shared/contract/memories.ts'
import { forgetMatching, restoreMatching } from '../../../shared/contract/memory-bulk.ts'
import { callApi } from '../../session/client.ts'
import { queryClient } from '../../session/query-client.ts'
import { common } from '../../texts/common.ts'
import { memories as texts } from '../../texts/memories.ts'
import { describeError } from '../../ui/describe-error.ts'
import { notify, notifyError } from '../../ui/toast.tsx'
import { dropHiddenLists, reloadLists, removeFromLists, replaceInLists } from './pages.ts'
import { listQuery, type MemorySearch } from './search.ts'

/** Parallel requests of a bulk action: enough to be quick, few enough to leave room for others. */
const PARALLEL = 4

interface Outcome {
  done: Memory[]
  failures: Error[]
  /** Number of memories that were left as they are. */
  cancelled: number
}

/** Observes and cancels a bulk action. */
export interface BulkControl {
  onProgress: (done: number) => void
  signal: AbortSignal
}

const UNCONTROLLED: BulkControl = { onProgress: () => {}, signal: new AbortController().signal }

/** Runs one request per memory. One that fails does not stop the others; a cancel lets the running ones end. */
const forEachMemory = async (
  memories: readonly Memory[],
  run: (memory: Memory) => Promise<unknown>,
  { onProgress, signal }: BulkControl,
): Promise<Outcome> => {
  const outcome: Outcome = { done: [], failures: [], cancelled: 0 }
  const rest = memories.values()
  const work = async () => {
    for (const memory of rest) {
      if (signal.aborted) {
        outcome.cancelled++
        continue
      }
      await run(memory).then(
        () => outcome.done.push(memory),
        (error: Error) => outcome.failures.push(error),
      )
      onProgress(outcome.done.length + outcome.failures.length)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  return outcome
}

const reportRest = ({ failures, cancelled }: Outcome): void => {
  if (cancelled) notify(texts.bulk.cancelled(cancelled))
  const [first] = failures
  if (first) notifyError(new Error(texts.bulk.partly(failures.length, describeError(first))))
}

const OTHERS = [
  'recall',
  'listMemories',
  'memoryFacets',
  'getMemory',
  'memoryHistory',
  'relatedMemories',
]

/** Other screens request the memories that they show again, when they are shown. */
const refreshOthers = (): void => {
  dropHiddenLists()
  for (const name of OTHERS) void queryClient.invalidateQueries({ queryKey: [name] })
}

export const restoreAll = async (
  memories: readonly Memory[],
  control = UNCONTROLLED,
): Promise<Memory[]> => {
  const outcome = await forEachMemory(
    memories,
    ({ memory_id }) => callApi(restoreMemory, { params: { memory_id } }),
    control,
  )
  reportRest(outcome)
  await reloadLists()
  refreshOthers()
  if (outcome.done.length) notify(texts.bulk.restored(outcome.done.length))
  return outcome.done
}

const deleteAll = async (
  memories: readonly Memory[],
  permanent: boolean,
  control: BulkControl,
): Promise<Memory[]> => {
  const outcome = await forEachMemory(
    memories,
    ({ memory_id }) => callApi(deleteMemory, { params: { memory_id }, query: { permanent } }),
    control,
  )
  reportRest(outcome)
  removeFromLists(new Set(outcome.done.map(({ memory_id }) => memory_id)))
  refreshOthers()
  return outcome.done
}

/** Forgets memories, with a toast that undoes it. */
export const forgetAll = async (
  memories: readonly Memory[],
  control = UNCONTROLLED,
): Promise<Memory[]> => {
  const done = await deleteAll(memories, false, control)
  if (done.length)
    notify(texts.bulk.forgot(done.length), {
      label: common.undo,
      run: () => void restoreAll(done).catch(notifyError),
    })
  return done
}

/** Forgets all memories that match a filter, loaded or not, with a toast that undoes it. */
export const forgetAllMatching = async (search: MemorySearch, expected: number): Promise<void> => {
  const { sort: _, deleted: __, ...filter } = listQuery(search)
  const all = Object.keys(filter).length === 0
  const { count, deleted_since } = await callApi(forgetMatching, {
    body: { ...filter, all, expected },
  })
  await refreshAfterWrite()
  const restore = async () => {
    if (deleted_since === null) return
    const restored = await callApi(restoreMatching, { body: { ...filter, deleted_since } })
    await refreshAfterWrite()
    notify(texts.bulk.restored(restored.count))
  }
  notify(texts.bulk.forgot(count), {
    label: common.undo,
    run: () => void restore().catch(notifyError),
  })
}

export const eraseAll = async (
  memories: readonly Memory[],
  control = UNCONTROLLED,
): Promise<Memory[]> => {
  const done = await deleteAll(memories, true, control)
  if (done.length) notify(texts.bulk.erased(done.length))
  return done
}

/** Adds a tag to memories. */
export const tagAll = async (
  memories: readonly Memory[],
  tag: string,
  control = UNCONTROLLED,
): Promise<Memory[]> => {
  const outcome = await forEachMemory(
    memories,
    async ({ memory_id, tags }) => {
      if (tags.includes(tag)) return
      const body = { tags: [...tags, tag] }
      replaceInLists(await callApi(updateMemory, { params: { memory_id }, body }))
    },
    control,
  )
  reportRest(outcome)
  refreshOthers()
  if (outcome.done.length) notify(texts.bulk.tagged(outcome.done.length, tag))
  return outcome.done
}

/** After a memory was written or changed. */
export const refreshAfterWrite = async (): Promise<void> => {
  await reloadLists()
  refreshOthers()
}
