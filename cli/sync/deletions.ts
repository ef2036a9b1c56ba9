import { CliError } from '../errors.ts'
import type { Deletions } from './session.ts'

interface GuardOptions {
  /** The number of `--allow-deletes`. */
  allowed: number | undefined
  /** Asks at the terminal; undefined without one. */
  ask: ((question: string) => Promise<boolean>) | undefined
}

/** So many deletions are always done. */
const FREE = 3
/** A larger part of the synced files is not deleted without a confirmation. */
const MAX_PART = 0.2

/** Whether so many deletions may be an accident, such as a disk that is not mounted. */
export const isSuspicious = (count: number, tracked: number): boolean =>
  (count > FREE && count > tracked * MAX_PART) || (count > 1 && count === tracked)

/** Stops a run that would delete a large part of either side, unless it is allowed or confirmed. */
export const deletionGuard =
  ({ allowed = 0, ask }: GuardOptions) =>
  async ({ forgotten, removed, tracked }: Deletions): Promise<void> => {
    if (isSuspicious(forgotten, tracked) && forgotten > allowed)
      await stopUnless(ask, {
        problem: `${forgotten.toLocaleString('en')} of ${tracked.toLocaleString('en')} files are missing.`,
        question: `${forgotten.toLocaleString('en')} of ${tracked.toLocaleString('en')} files are missing. Forget their memories?`,
        hint: `Nothing was changed. Put the files back, or, to forget their memories, add --allow-deletes ${forgotten}. To write the files again, delete .svc/state.json in the folder first.`,
      })
    if (isSuspicious(removed, tracked) && removed > allowed)
      await stopUnless(ask, {
        problem: `${removed.toLocaleString('en')} of ${tracked.toLocaleString('en')} memories are not in the account any more.`,
        question: `${removed.toLocaleString('en')} of ${tracked.toLocaleString('en')} memories are not in the account any more. Delete their files?`,
        hint: `Nothing was changed. To delete their files, add --allow-deletes ${removed}. To remember the files again, delete .svc/state.json in the folder first.`,
      })
  }

const stopUnless = async (
  ask: GuardOptions['ask'],
  { problem, question, hint }: { problem: string; question: string; hint: string },
): Promise<void> => {
  if (await ask?.(question)) return
  throw new CliError(problem, hint)
}
