import { listKeys } from '../../../shared/contract/keys.ts'
import { listMemories } from '../../../shared/contract/memory-lists.ts'
import { listApps } from '../../../shared/contract/oauth-server.ts'
import { getUsage } from '../../../shared/contract/usage.ts'
import { prefetch } from '../../session/query.ts'

export const RECENT = { query: { limit: 6 } }

export const requestHome = (): void => {
  prefetch(listMemories, RECENT)
  prefetch(getUsage, {})
  prefetch(listApps, {})
  prefetch(listKeys, {})
}
