import type { AuthorizedApp } from '../../../../shared/contract/oauth-server.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { appNameOf } from './app-name.ts'
import { type ListedGrant, listGrants } from './store.ts'

export type AppList = ReturnType<typeof createAppList>

/** The OAuth clients that a user authorized. Their access ends with their session. */
export const createAppList = ({ db }: Database) => ({
  async list(caller: Caller): Promise<AuthorizedApp[]> {
    return (await listGrants(db, caller.userId)).map(present)
  },
})

const present = ({ session, clientId, org }: ListedGrant): AuthorizedApp => ({
  session_id: session.id,
  client_id: clientId,
  name: appNameOf(session.userAgent ?? clientId),
  org,
  created_at: session.createdAt.toISOString(),
  last_seen_at: session.lastSeenAt.toISOString(),
})
