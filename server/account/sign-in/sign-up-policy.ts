import { domainToASCII } from 'node:url'
import {
  SIGN_UP_REFUSALS,
  type SignUpMode,
  type SignUpPolicy,
} from '../../../shared/contract/sign-up.ts'
import type { Db } from '../../platform/db/database.ts'
import { ApiError, defineErrors } from '../../platform/http/error.ts'
import { userError } from '../users/errors.ts'

export const signUpError = defineErrors({
  sign_up_closed: {
    status: 403,
    detail: 'This server takes no new accounts; ask its operator for one',
  },
  sign_up_needs_invite: {
    status: 403,
    detail: 'A new account needs an invitation to this address',
  },
  sign_up_domain: {
    status: 403,
    detail: 'Accounts of this server need an address at one of its domains',
  },
})

export const isSignUpRefusal = (error: unknown): boolean =>
  error instanceof ApiError && SIGN_UP_REFUSALS.includes(error.reason ?? '')

/**
 * The one who lets an account come to be: the person, as far as the operator lets people sign up, or the operator,
 * an admin or an organization's identity provider.
 */
export type Admission = 'person' | 'operator'

/** The settings of the operator. They are read at each use, because settings change while the server runs. */
export interface SignUpSettings {
  mode: SignUpMode
  /** In lower case and ASCII. Without one, every domain is allowed. */
  domains: readonly string[]
}

/** Which people may create an account. */
export type SignUpPolicyService = ReturnType<typeof createSignUpPolicy>

export const createSignUpPolicy = (
  settings: () => SignUpSettings,
  {
    adminEmails,
    hasInvite,
    canReach,
  }: {
    /** These people may always sign up: a new server has no admin who could invite them. */
    adminEmails: readonly string[]
    /** Whether an organization invites the address. */
    hasInvite(db: Db, email: string): Promise<boolean>
    /** Whether the mail server delivers to such an address. */
    canReach(email: string): Promise<boolean>
  },
) => {
  const isAt = (email: string): boolean =>
    settings().domains.includes(domainToASCII(email.slice(email.lastIndexOf('@') + 1)))

  /** An invite admits an address of any domain. */
  const isListed = async (db: Db, email: string): Promise<boolean> =>
    isAt(email) || (await hasInvite(db, email))

  const checkDomain = async (db: Db, email: string): Promise<void> => {
    if (settings().domains.length > 0 && !(await isListed(db, email)))
      throw signUpError('sign_up_domain')
  }

  const checkMode = async (db: Db, email: string): Promise<void> => {
    const { mode } = settings()
    if (mode === 'closed') throw signUpError('sign_up_closed')
    if (mode === 'open') return checkDomain(db, email)
    if (!(await isListed(db, email))) throw signUpError('sign_up_needs_invite')
  }

  /** @throws ApiError 400 when the mail server cannot send the link that confirms the address. */
  const checkReachable = async (email: string): Promise<void> => {
    if (!(await canReach(email))) throw userError('unreachable_email')
  }

  return {
    read: (): SignUpPolicy => ({
      mode: settings().mode,
      has_domains: settings().domains.length > 0,
    }),
    checkReachable,

    /** @throws ApiError 403 when people cannot create an account with this address. */
    async check(db: Db, email: string): Promise<void> {
      if (!adminEmails.includes(email)) await checkMode(db, email)
    },

    /**
     * An unverified account may have been admitted for its address, so another address needs the same.
     * @throws ApiError 400 when the mail server cannot reach it, 403 when an account cannot change to it.
     */
    async checkChange(db: Db, email: string, isVerified: boolean): Promise<void> {
      await checkReachable(email)
      if (isVerified || settings().mode === 'closed') await checkDomain(db, email)
      else await checkMode(db, email)
    },
  }
}
