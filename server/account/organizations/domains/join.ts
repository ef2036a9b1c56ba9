import type { Db } from '../../../platform/db/database.ts'
import { ApiError } from '../../../platform/http/error.ts'
import { recordOrgAudit } from '../rights.ts'
import { hasFreeSeat, type SeatsOf } from '../seats.ts'
import { checkMemberships } from '../service.ts'
import { findSeatUse, insertMember, lockOrg } from '../store.ts'
import { domainOfAddress } from './name.ts'
import { findOrgToJoin } from './store.ts'

interface JoiningUser {
  id: string
  email: string
  emailVerified: boolean
}

/**
 * Makes a user with a verified address a member of the organization that has verified its domain and lets
 * users join by it. Call it in a transaction that has locked the user. It gives the organization no right
 * over the account, and never becomes the default organization. Without a free seat it does nothing.
 */
export type JoinByDomain = (tx: Db, user: JoiningUser) => Promise<void>

export const createJoinByDomain =
  (seatsOf: SeatsOf): JoinByDomain =>
  async (tx, { id: userId, email, emailVerified }) => {
    const domain = emailVerified ? domainOfAddress(email) : undefined
    if (!domain) return
    const orgId = await findOrgToJoin(tx, { userId, email, domain })
    if (!orgId || !(await lockOrg(tx, orgId))) return
    // The organization may have removed the user or the domain before the lock.
    if ((await findOrgToJoin(tx, { userId, email, domain })) !== orgId) return
    const seats = await findSeatUse(tx, orgId)
    if (!seats || !hasFreeSeat(seats, seatsOf)) return
    if (!(await mayJoinAnother(tx, userId))) return
    await insertMember(tx, { orgId, userId, role: 'member' })
    await recordOrgAudit(tx, 'org.member_joined', orgId, {
      by: userId,
      details: { user_id: userId, role: 'member', domain },
    })
  }

const mayJoinAnother = (tx: Db, userId: string): Promise<boolean> =>
  checkMemberships(tx, userId).then(
    () => true,
    (error) => {
      if (error instanceof ApiError) return false
      throw error
    },
  )
