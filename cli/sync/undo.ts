import { ApiFailure } from '../../shared/client.ts'
import { restoreMemory } from '../../shared/contract/memories.ts'
import { formatMemoryCount } from '../format.ts'
import type { Io } from '../output.ts'
import { patient } from './account.ts'
import { inParallel } from './parallel.ts'
import type { SessionOptions } from './session.ts'
import { writeState } from './state.ts'

/** Requests at the same time. */
const RESTORES = 8

/** Restores what the last run with deleted files forgot. The run that follows writes the files, at their old paths. */
export const undoDeletions = async (options: SessionOptions, io: Io): Promise<void> => {
  const { root, state, signal, onWait } = options
  const client = patient(options.client, onWait, signal)
  const { forgotten } = state
  if (forgotten.length === 0) return io.info('No deletion to undo.')
  const lost: string[] = []
  const restore = async ({ id, path }: { id: string; path: string }) => {
    try {
      await client.call(restoreMemory, { params: { memory_id: id } })
      state.places.set(id, path)
      // If the run was cut off, its missing file would forget it again.
      state.base.delete(id)
    } catch (error) {
      // Deleted for good, or its text was remembered again.
      if (!(error instanceof ApiFailure && [404, 409].includes(error.status))) throw error
      lost.push(path)
    }
  }
  await inParallel(forgotten, RESTORES, restore)
  state.forgotten = []
  state.isForgetting = false
  await writeState(root, state)
  for (const path of lost)
    io.message(`Not restored: ${path}. Its memory was erased, or its text was remembered again.`)
  io.info(`Restored ${formatMemoryCount(forgotten.length - lost.length)}.`)
}
