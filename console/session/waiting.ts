import { listConfirmations } from '../../shared/contract/confirmations.ts'
import { listDirectThreads } from '../../shared/contract/dm.ts'
import { listConflicts } from '../../shared/contract/identity.ts'
import { useMe } from './me.ts'
import { prefetch, useApi } from './query.ts'

interface Waiting {
  /** Unread direct messages. */
  messages: number
  /** Actions of reflexes to confirm, and contradictions to settle. */
  decisions: number
}

/** The matters that wait for the user. The stream of activity requests them again when they change. */
export const useWaiting = (): Waiting => {
  const enabled = useMe()?.email_verified === true
  const threads = useApi(listDirectThreads, {}, { enabled }).data ?? []
  const confirmations = useApi(listConfirmations, {}, { enabled }).data ?? []
  const conflicts = useApi(listConflicts, {}, { enabled }).data?.conflicts ?? []
  return {
    messages: threads.reduce((sum, { unread }) => sum + unread, 0),
    decisions: confirmations.length + conflicts.length,
  }
}

/** For a user with a verified address. */
export const requestWaiting = (): void => {
  prefetch(listDirectThreads, {})
  prefetch(listConfirmations, {})
  prefetch(listConflicts, {})
}
