import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Client } from '../../platform/http/route.ts'
import { recordAudit } from '../audit/store.ts'
import { hashSecret } from '../keys/token.ts'
import { hasAdmin, makeFirstAdmin } from './store.ts'

const LIFETIME_MS = 30 * 60 * 1000

export type AdminService = Awaited<ReturnType<typeof createAdminService>>

/**
 * Lets whoever started the server become its first admin, by a link that only its terminal shows. It
 * is made anew at each start until there is one, so it is kept in memory alone.
 */
export const createAdminService = async (
  { db }: Database,
  settings: { baseUrl: string; adminEmails: string[] },
) => {
  const isWanted = settings.adminEmails.length === 0 && !(await hasAdmin(db))
  const token = randomBytes(32).toString('base64url')
  let open = isWanted ? { hash: hashSecret(token), endsAt: Date.now() + LIFETIME_MS } : undefined

  const isGood = (given: string): boolean =>
    open !== undefined &&
    Date.now() < open.endsAt &&
    timingSafeEqual(Buffer.from(hashSecret(given)), Buffer.from(open.hash))

  return {
    /** Where the first admin is made; undefined when there is one, or addresses are configured. */
    claimLink: isWanted ? `${settings.baseUrl}/admin/claim?token=${token}` : undefined,

    /** @throws ApiError 410 for a link that is not good any more. */
    async check(given: string): Promise<void> {
      if (!isGood(given) || (await hasAdmin(db))) throw linkOver()
    },

    /** @throws ApiError 410 for a link that is not good any more, also by another at this moment. */
    async claim(caller: Caller, given: string, client: Client): Promise<void> {
      if (!isGood(given)) throw linkOver()
      await db.transaction(async (tx) => {
        if (!(await makeFirstAdmin(tx, caller.userId))) throw linkOver()
        await recordAudit(tx, { userId: caller.userId, action: 'admin.claimed', ip: client.ip })
      })
      open = undefined
    },
  }
}

const linkOver = () =>
  new ApiError(
    410,
    'This link was used or has expired. While there is no admin, each start of the server prints a new one.',
  )
