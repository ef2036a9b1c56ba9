import { ApiFailure } from '../../shared/client.ts'
import { deleteMemory, type Memory } from '../../shared/contract/memories.ts'
import { readDocument } from './document.ts'
import { isSame } from './fields.ts'
import { hasEntry, writeKept } from './files.ts'
import { framed } from './frame.ts'
import { inParallel } from './parallel.ts'
import type { SyncAction } from './plan.ts'
import { REQUESTS } from './push.ts'
import { passOver, type Run, record } from './run.ts'

/** The memories that a memory superseded, one after another, the latest first. */
const earlierOf = async (run: Run, memory: Memory | undefined): Promise<string[]> => {
  const earlier: string[] = []
  let next = memory?.supersedes
  while (next && !earlier.includes(next)) {
    earlier.push(next)
    next = (await run.account.fetch(next))?.supersedes
  }
  return earlier
}

const forgetOne = (run: Run, memory_id: string): Promise<void> =>
  run.client.call(deleteMemory, { params: { memory_id } }).then(
    () => {},
    (error: unknown) => {
      if (!(error instanceof ApiFailure && error.status === 404)) throw error
    },
  )

/** Keeps a file that was deleted, as it was when it was last synced. */
const keepDeleted = async (run: Run, { memory_id, content_text }: Memory): Promise<void> => {
  const known = run.state.base.get(memory_id)
  if (!known?.frame) return
  const text = framed(known.frame, content_text)
  const document = readDocument(text)
  if ('problem' in document || !isSame(document.fields, known.local)) return
  const path = run.kept.pathFor(memory_id, known.path)
  await writeKept(run.root, path, text, known.frame.mode)
}

/** Forgets the memories of deleted files. The state has them first, for `--undo`. */
export const forgetAll = async (
  run: Run,
  actions: Extract<SyncAction, { kind: 'forget' }>[],
): Promise<void> => {
  // A file that was stored in this run may have got one of them: it was moved without its id.
  const missing = actions.filter(({ id, path }) => run.state.base.get(id)?.path === path)
  // An editor may delete a file for a moment while it saves.
  const left: typeof missing = []
  for (const action of missing)
    if (run.names.has(action.path) || !(await hasEntry(run.root, action.path))) left.push(action)
  if (left.length < missing.length) run.isStale = true
  const { state } = run
  if (left.length === 0) {
    state.isForgetting = false
    return
  }
  // A run that was cut off while it forgot is continued by this one.
  const earlier = state.isForgetting ? state.forgotten : []
  const all = [...earlier, ...left].map(({ id, path }) => [id, { id, path }] as const)
  state.forgotten = [...new Map(all).values()]
  state.isForgetting = true
  await run.save()
  let done = 0
  const forget = async ({ id, path }: (typeof left)[number]) => {
    const memory = await run.account.fetch(id)
    if (memory) await keepDeleted(run, memory)
    // Earlier texts of the file go first: the one before would be current again, and come back as a file.
    for (const memoryId of [...(await earlierOf(run, memory)), id]) await forgetOne(run, memoryId)
    run.state.base.delete(id)
    run.account.memories.delete(id)
    record(run, { action: 'forgotten', path, memory_id: id })
    if (++done % 100 === 0) run.onProgress(`${done} of ${left.length} memories forgotten …`)
  }
  await inParallel(left, REQUESTS, (each) =>
    forget(each).catch((error: unknown) => passOver(run, error)),
  )
  state.isForgetting = false
}
