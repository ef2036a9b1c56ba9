import type { Database, Db } from '../../../platform/db/database.ts'
import type { RequestClient } from '../../../platform/http/context.ts'
import { ApiError } from '../../../platform/http/error.ts'
import type { SignedIn } from '../../access/sessions/service.ts'
import { recordAudit } from '../../users/audit/store.ts'
import { readEmail } from '../../users/email-address.ts'
import { findUserByEmail, lockForSignIn } from '../../users/store.ts'
import type { UserRow } from '../../users/table.ts'
import type { NewAccount, RegistrationService } from '../registration.ts'
import type { SignInPending, SignInService } from '../service.ts'
import { isSignUpRefusal } from '../sign-up-policy.ts'
import { type FailureCode, OAuthFailure, oauthSignInError } from './errors.ts'
import type { ProviderSessionService } from './provider-sessions.ts'
import type { ConfiguredProvider } from './providers/index.ts'
import type { ProviderAccount } from './providers/provider.ts'
import type { ReturnTo } from './state.ts'
import { findConnectedUser, insertConnection } from './store.ts'

/** A session, or a sign-in that waits for its second factor. */
type AccountSignIn = { isNew: boolean } & (SignedIn | SignInPending)

type SignInProvider = Pick<ConfiguredProvider, 'name' | 'opensAccounts'>

/** Signs a user in by an account at a provider: into the connected account, or a new one. */
export type SignInWithAccount = (
  provider: SignInProvider,
  account: ProviderAccount,
  client: RequestClient,
) => Promise<AccountSignIn>

export const createSignInWithAccount = (
  { db }: Database,
  registration: Pick<RegistrationService, 'register'>,
  signIns: Pick<SignInService, 'completeFirstFactor'>,
  recordProviderSession: ProviderSessionService['record'],
  isOpenedBy: (tx: Db, owner: UserRow, provider: string) => Promise<boolean>,
): SignInWithAccount => {
  const register = async (tx: Db, account: NewAccount, client: RequestClient): Promise<UserRow> => {
    try {
      return await registration.register(tx, account, 'person', client)
    } catch (error) {
      throw isSignUpRefusal(error) ? new OAuthFailure('sign_up_refused', error) : error
    }
  }

  /**
   * An existing account is connected only if both sides have verified its address, and never by a provider
   * that the operator has configured: its owner must agree, while signed in, or the organization that manages it.
   */
  const findOrCreate = async (
    tx: Db,
    { name: provider, opensAccounts }: SignInProvider,
    account: ProviderAccount,
    client: RequestClient,
  ): Promise<{ user: UserRow; isNew: boolean }> => {
    const known = await findConnectedUser(tx, provider, account.subject)
    if (known) return { user: await lockEnabled(tx, known.id), isNew: false }

    const email = readAccountEmail(account)
    const owner = await findUserByEmail(tx, email)
    if (owner && (account.isEmailDoubted || !(await isOpenedBy(tx, owner, provider)))) {
      if (!opensAccounts) throw new OAuthFailure('not_connected')
      if (!(owner.emailVerified && account.emailVerified)) throw new OAuthFailure('account_exists')
    }
    if (owner) await lockEnabled(tx, owner.id)
    const newAccount = { email, emailVerified: account.emailVerified, passwordHash: null }
    const user = owner ?? (await register(tx, newAccount, client))
    const connection = { provider, subject: account.subject, userId: user.id, email }
    if (!(await insertConnection(tx, connection)))
      throw oauthSignInError('oauth_account_already_connected')
    await recordAudit(tx, {
      userId: user.id,
      action: 'provider.connected',
      ip: client.ip,
      details: { provider },
    })
    return { user, isNew: !owner }
  }

  return (provider, account, client) => {
    const attempt = () =>
      db.transaction(async (tx) => {
        const { user, isNew } = await findOrCreate(tx, provider, account, client)
        const signIn = await signIns.completeFirstFactor(tx, user, client, provider.name)
        await recordProviderSession(tx, { provider: provider.name, account, user, signIn })
        return { isNew, ...signIn }
      })
    return attempt().catch((error) => {
      if (mayBeConnected(error)) return attempt()
      throw error
    })
  }
}

/**
 * Whether a parallel callback may have created or connected the account, also between the search for the connection and
 * that for the address: another attempt finds it.
 */
const mayBeConnected = (error: unknown): boolean =>
  error instanceof OAuthFailure
    ? error.code === 'not_connected' || error.code === 'account_exists'
    : error instanceof ApiError && error.status === 409

/** A transaction that disables or deletes the account commits before this lock, or waits for it. */
const lockEnabled = async (tx: Db, userId: string): Promise<UserRow> => {
  const user = await lockForSignIn(tx, userId)
  if (!user || user.disabledAt) throw new OAuthFailure('account_disabled')
  return user
}

const readAccountEmail = ({ email }: ProviderAccount): string => {
  if (!email) throw new OAuthFailure('email_required')
  try {
    return readEmail(email)
  } catch (cause) {
    throw new OAuthFailure('email_not_allowed', cause)
  }
}

/** The place in the console where a connection starts and ends. */
export const consoleUrl = (baseUrl: string, query: Record<string, string>): string =>
  `${baseUrl}/app/settings/connections?${new URLSearchParams(query)}`

const callbackUrl = (baseUrl: string, { origin = baseUrl }: ReturnTo, query: object) =>
  `${origin}/auth/callback?${new URLSearchParams({ ...query })}`

export const successUrl = (baseUrl: string, returnTo: ReturnTo, signIn: AccountSignIn): string => {
  const { isNew, response } = signIn
  const isPending = 'mfa_required' in response
  const { userCode } = returnTo
  if (userCode !== undefined) {
    const query = new URLSearchParams({
      ...(userCode && { user_code: userCode }),
      ...(isPending && { partial_token: response.partial_token }),
    })
    return `${baseUrl}/api/auth/mcp/device?${query}`
  }
  const query = isPending
    ? { mfa_required: '1', partial_token: response.partial_token }
    : { token: response.access_token, new: isNew ? '1' : '0' }
  return callbackUrl(baseUrl, returnTo, query)
}

export const failureUrl = (baseUrl: string, returnTo: ReturnTo, error: FailureCode): string => {
  const { userCode, connectTo } = returnTo
  if (connectTo !== undefined) return consoleUrl(baseUrl, { error })
  const query = { error, ...(userCode !== undefined && { user_code: userCode }) }
  return callbackUrl(baseUrl, returnTo, query)
}
