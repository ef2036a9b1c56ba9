import { getUsage } from '../../../shared/contract/billing.ts'
import { listConfirmations } from '../../../shared/contract/confirmations.ts'
import { listKeys } from '../../../shared/contract/keys.ts'
import { listMemories } from '../../../shared/contract/memory-lists.ts'
import { listApps } from '../../../shared/contract/oauth-server.ts'
import { listProactiveIntents } from '../../../shared/contract/proactive.ts'
import { prefetch } from '../../session/query.ts'

export const RECENT = { query: { limit: 6 } }

/** The matters of each kind that wait for the user. */
export const MAX_SHOWN = 5
export const CONFIRMATIONS = { query: { limit: MAX_SHOWN } }

export const requestHome = (): void => {
  prefetch(listMemories, RECENT)
  prefetch(getUsage, {})
  prefetch(listApps, {})
  prefetch(listKeys, {})
}

/** For a user with a verified address. */
export const requestAttention = (): void => {
  prefetch(listConfirmations, CONFIRMATIONS)
  prefetch(listProactiveIntents, {})
}
