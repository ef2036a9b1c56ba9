import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ApiFailure } from '../../shared/client.ts'
import { deleteMemory } from '../../shared/contract/memories.ts'
import { inParallel } from './parallel.ts'
import type { Action } from './plan.ts'
import { REQUESTS } from './push.ts'
import { type Run, record } from './run.ts'

/** The memories that a memory superseded, one after another, the latest first. */
const earlierOf = async (run: Run, id: string): Promise<string[]> => {
  const earlier: string[] = []
  let next = (await run.account.fetch(id))?.supersedes
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

/** Forgets the memories of deleted files. The state has them first, for `--undo`. */
export const forgetAll = async (
  run: Run,
  actions: Extract<Action, { kind: 'forget' }>[],
): Promise<void> => {
  // A file that was stored in this run may have got one of them: it was moved without its id.
  const missing = actions.filter(({ id, path }) => run.state.base.get(id)?.path === path)
  // An editor may delete a file for a moment while it saves.
  const left = missing.filter(
    ({ path }) => run.names.has(path) || !existsSync(join(run.root, path)),
  )
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
    // Earlier texts of the file go first: the one before would be current again, and come back as a file.
    for (const memoryId of [...(await earlierOf(run, id)), id]) await forgetOne(run, memoryId)
    run.state.base.delete(id)
    run.account.memories.delete(id)
    record(run, { action: 'forgotten', path, memory_id: id })
    if (++done % 100 === 0) run.onProgress(`${done} of ${left.length} memories forgotten …`)
  }
  await inParallel(left, REQUESTS, forget)
  state.isForgetting = false
}
