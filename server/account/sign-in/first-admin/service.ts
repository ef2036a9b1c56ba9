import { timingSafeEqual } from 'node:crypto'
import type { Database } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import type { RequestClient } from '../../../platform/http/context.ts'
import { defineErrors } from '../../../platform/http/error.ts'
import { createSecret, hashSecret } from '../../../platform/secrets.ts'
import { recordAudit } from '../../users/audit/store.ts'
import { hasAdmin, makeFirstAdmin } from './store.ts'

const firstAdminError = defineErrors({
  admin_claim_link_invalid: {
    status: 410,
    detail:
      'This link was used or has expired. While there is no admin, each start of the server prints a new link.',
  },
})

const LIFETIME_MS = 30 * 60 * 1000

/** The secret of a link that makes a user the first admin. It is stored in memory only. */
export interface AdminClaim {
  token: string
  /** In milliseconds since 1970. */
  endsAt: number
}

export const newAdminClaim = (): AdminClaim => ({
  token: createSecret(),
  endsAt: Date.now() + LIFETIME_MS,
})

/**
 * Makes the operator of the server its first admin, by a link that only the terminal shows. Each start
 * creates a new link until an admin exists.
 */
export type FirstAdminService = Awaited<ReturnType<typeof createFirstAdminService>>

export const createFirstAdminService = async (
  { db }: Database,
  settings: {
    baseUrl: string
    adminEmails: string[]
    /** Undefined for a process whose server shows no link. */
    claim: AdminClaim | undefined
    /** Whether a mail server is configured. */
    sendsMail(): boolean
  },
) => {
  /** Whether no admin existed at the start, and SVC_ADMIN_EMAILS is not set. */
  const isMissing = settings.adminEmails.length === 0 && !(await hasAdmin(db))
  let link = isMissing ? settings.claim : undefined

  const isValid = (input: string): boolean =>
    link !== undefined &&
    Date.now() < link.endsAt &&
    timingSafeEqual(Buffer.from(hashSecret(input)), Buffer.from(hashSecret(link.token)))

  return {
    isMissing,

    /** Undefined when an admin exists or SVC_ADMIN_EMAILS is set. */
    claimLink: link && `${settings.baseUrl}/admin/claim?token=${link.token}`,

    /** @throws ApiError 410 for a link that is not valid any more. */
    async check(input: string): Promise<void> {
      if (!isValid(input) || (await hasAdmin(db))) throw firstAdminError('admin_claim_link_invalid')
    },

    /**
     * Without a mail server the claim also verifies the address, because the operator could read the
     * verification link in the outbox too.
     * @throws ApiError 410 for a link that is not valid any more.
     */
    async claim(caller: Caller, input: string, client: RequestClient): Promise<void> {
      if (!isValid(input)) throw firstAdminError('admin_claim_link_invalid')
      await db.transaction(async (tx) => {
        const { userId } = caller
        const made = await makeFirstAdmin(tx, userId, { verifiesEmail: !settings.sendsMail() })
        if (!made) throw firstAdminError('admin_claim_link_invalid')
        if (made.newlyVerified)
          await recordAudit(tx, { userId, action: 'email.verified', ip: client.ip })
        await recordAudit(tx, { userId, action: 'admin.claimed', ip: client.ip })
      })
      link = undefined
    },
  }
}
