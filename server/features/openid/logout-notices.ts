import type { AuditAction } from '../../account/users/audit/service.ts'
import { budgets } from '../../platform/budgets.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Fetcher } from '../../platform/fetch/fetcher.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import type { Log } from '../../platform/log.ts'
import type { IdTokens } from './id-tokens.ts'
import { claimEndedSignIns, findLogoutUri } from './logout-store.ts'

/** About an hour, with the backoff of jobs. */
const RETRIES = 10

/** Actions that end sessions. */
const ENDS: ReadonlySet<AuditAction> = new Set<AuditAction>([
  'session.ended',
  'session.all_ended',
  'session.replayed',
  'password.changed',
  'password.reset',
  'user.disabled',
])

interface Notice {
  clientId: string
  userId: string
  signInId: string
}

interface LogoutNoticeDeps {
  database: Database
  jobs: Jobs
  fetcher: Fetcher
  idTokens: Pick<IdTokens, 'signLogout'>
  log: Log
}

/** Notifies apps that sessions of their users have ended (OpenID Connect Back-Channel Logout 1.0). */
export type LogoutNotices = ReturnType<typeof startLogoutNotices>

export const startLogoutNotices = ({
  database: { db },
  jobs,
  fetcher,
  idTokens,
  log,
}: LogoutNoticeDeps) => {
  const notice: JobKind<Notice> = {
    name: 'app-logout-notice',
    retries: RETRIES,
    run: async ({ clientId, userId, signInId }) => {
      const uri = await findLogoutUri(db, clientId)
      if (!uri) return
      const logout_token = await idTokens.signLogout({ clientId, userId, signInId })
      const posted = {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ logout_token }).toString(),
      }
      const signal = AbortSignal.timeout(budgets.logoutNotice.ms)
      const status = await fetcher.post(new URL(uri), posted, signal)
      if (status >= 300) throw new Error(`the app answered ${status}`)
    },
  }
  const search: JobKind<object> = {
    name: 'app-logout-search',
    retries: 0,
    keyOf: () => 'all',
    run: () =>
      db.transaction(async (tx) => {
        for (const ended of await claimEndedSignIns(tx)) await jobs.send(notice, ended, { tx })
      }),
  }
  jobs.work(notice)
  jobs.repeat(search, {}, '* * * * *')

  return {
    /** Sends the notices of sessions that an action has ended. Those of others follow within a minute. */
    onAudit({ action }: { action: AuditAction }): void {
      if (!ENDS.has(action)) return
      jobs.send(search, {}).catch((error: unknown) => {
        log.error({ error }, 'the search for ended sessions of apps was not queued')
      })
    },
  }
}
