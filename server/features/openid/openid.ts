import type { AccountServices } from '../../account/account.ts'
import { onAudit } from '../../account/users/audit/service.ts'
import type { Core } from '../../feature.ts'
import { createFetcher } from '../../platform/fetch/fetcher.ts'
import { createLogoutService } from './end-session.ts'
import { createIdTokens } from './id-tokens.ts'
import { createIntrospection } from './introspection.ts'
import { startLogoutNotices } from './logout-notices.ts'
import { createProvider } from './provider.ts'

export interface OpenIdNeeds {
  account: Pick<
    AccountServices,
    'keyring' | 'sessions' | 'authentication' | 'grants' | 'oauthClients' | 'serverMetadata'
  >
}

export type OpenId = ReturnType<typeof startOpenId>

/** Starts the OpenID provider, which signs ID tokens with the keys of access tokens. */
export const startOpenId = (core: Core, { account }: OpenIdNeeds) => {
  const { database, jobs, log, baseUrl, fetching } = core
  const { sessions, authentication, grants, serverMetadata, oauthClients: clients } = account
  const idTokens = createIdTokens(account.keyring, baseUrl)
  const fetcher = createFetcher(fetching)
  const notices = startLogoutNotices({ database, jobs, log, fetcher, idTokens })
  for (const { db } of [database, database.background, database.bulk]) onAudit(db, notices.onAudit)
  return {
    provider: createProvider(idTokens, baseUrl),
    logouts: createLogoutService({ database, sessions, idTokens, clients }),
    introspect: createIntrospection(database, grants),
    authentication,
    grants,
    serverMetadata,
  }
}
