import type { AppConsent } from '../../../../shared/contract/consents.ts'
import { listConsents, revokeConsent } from '../../../../shared/contract/index.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { defineErrors } from '../../../platform/http/error.ts'
import type { Mount } from '../../../platform/http/route.ts'
import { recordAudit } from '../../users/audit/store.ts'
import { lockUserShared } from '../../users/lock.ts'
import { findConsentById, type ListedConsent, listConsents as listRows } from './consent-store.ts'
import { revokeGrantsTo } from './store.ts'

const consentError = defineErrors({
  consent_not_found: { status: 404, detail: 'Consent not found' },
})

/** The apps that a user signs in to, for the user to list and end. */
export type AppConsents = ReturnType<typeof createAppConsents>

export const createAppConsents = ({ db }: Database) => ({
  list: async ({ userId }: Caller): Promise<AppConsent[]> =>
    (await listRows(db, userId)).map(present),

  /** Ends all tokens of the app. @throws ApiError 404 for no such consent of the caller. */
  revoke({ userId }: Caller, id: string): Promise<void> {
    return db.transaction(async (tx) => {
      await lockUserShared(tx, userId)
      const consent = await findConsentById(tx, userId, id)
      if (!consent) throw consentError('consent_not_found')
      const { clientId, clientName } = consent
      await revokeGrantsTo(tx, userId, clientId)
      await recordAudit(tx, {
        userId,
        action: 'oauth_client.revoked',
        subject: clientId,
        details: { name: clientName },
      })
    })
  },
})

const present = ({ consent, org }: ListedConsent): AppConsent => ({
  id: consent.id,
  client_id: consent.clientId,
  name: consent.clientName,
  org,
  scopes: consent.scopes,
  created_at: consent.createdAt.toISOString(),
  last_used_at: consent.lastUsedAt.toISOString(),
})

export const consentRoutes = (mount: Mount, consents: AppConsents): void => {
  mount(listConsents, ({ caller }) => consents.list(caller))
  mount(revokeConsent, async ({ caller, params }) => {
    await consents.revoke(caller, params.consent_id.toLowerCase())
    return undefined
  })
}
