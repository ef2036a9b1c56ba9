import { randomInt } from 'node:crypto'
import type {
  DeviceLogin,
  DeviceLoginResult,
  StartDeviceLogin,
} from '../../../../shared/contract/device.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { RequestClient } from '../../../platform/http/context.ts'
import { defineErrors } from '../../../platform/http/error.ts'
import { defineLimit, HOUR_SECONDS, type Limiter } from '../../../platform/http/limits.ts'
import { createSecret, hashSecret } from '../../../platform/secrets.ts'
import { readTypedCode } from '../../../platform/text/typed-code.ts'
import { lockMembership } from '../../organizations/membership.ts'
import { lockForSignIn } from '../../users/store.ts'
import { checkEnabled, presentUser } from '../../users/user.ts'
import type { KeyService } from '../keys/service.ts'
import type { SessionService } from '../sessions/service.ts'
import { insertDeviceLogin, markDelivered, recordPoll } from './store.ts'
import type { DeviceLoginRow } from './table.ts'

export const deviceLoginLimit = defineLimit({
  name: 'device_logins',
  per: 'address',
  points: 60,
  windowSeconds: HOUR_SECONDS,
  exceeded: 'Too many device logins started',
})

export const deviceError = defineErrors({
  user_code_not_found: { status: 404, detail: 'No device login is waiting for this code' },
  device_code_unknown: { status: 400, detail: 'Unknown device code' },
  device_login_delivered: { status: 410, detail: 'This login was already delivered' },
  device_login_expired: { status: 410, detail: 'This login has expired; start a new login' },
  device_approval_revoked: {
    status: 410,
    detail: 'The approval of this login was revoked; start a new login',
  },
})

const LIFETIME_SECONDS = 600
const INTERVAL_SECONDS = 5

/** The response to a poll, and the refresh token when a session was requested and approved. */
interface PollResult {
  response: DeviceLoginResult
  refreshToken?: string
}

interface DeviceLoginDeps {
  database: Database
  keys: Pick<KeyService, 'issue'>
  sessions: Pick<SessionService, 'start'>
  limiter: Limiter
  baseUrl: string
}

/**
 * The client side of the device authorization grant (RFC 8628): a client without a browser receives an
 * API key once a signed-in user has compared its code and approved.
 */
export type DeviceLoginService = ReturnType<typeof createDeviceLoginService>

export const createDeviceLoginService = (deps: DeviceLoginDeps) => {
  const { keys, sessions, limiter, baseUrl } = deps
  const { db } = deps.database

  /**
   * Creates the key on delivery, so that its plaintext is never stored, and only for the poll that marks
   * the login as delivered. The user is locked first, so that a password change or a revocation of the
   * sessions commits before this transaction or waits for it.
   */
  const deliver = (login: DeviceLoginRow): Promise<PollResult> =>
    db.transaction(async (tx) => {
      const user = login.userId ? await lockForSignIn(tx, login.userId) : undefined
      // The organization is locked before the login, in the same order as when a membership ends.
      if (user && login.orgId) await lockMembership(tx, user.id, login.orgId)
      const delivery = user && (await markDelivered(tx, login.id))
      if (!delivery) throw deviceError('device_login_delivered')
      if (!delivery.isLive) throw deviceError('device_approval_revoked')
      checkEnabled(user)
      const { clientName: name, orgId, ip, userAgent } = login
      const key = await keys.issue(tx, { userId: user.id, name, orgId })
      const response = {
        status: 'approved',
        api_key: key.key,
        key_id: key.id,
        user: presentUser(user),
      } as const
      if (!login.wantsSession) return { response }
      const signedIn = await sessions.start(tx, user, { ip: ip ?? '', userAgent }, login)
      const { refreshToken } = signedIn
      return { response: { ...response, ...signedIn.response }, refreshToken }
    })

  return {
    /** @throws ApiError 429 for too many logins from one address. */
    async start(body: StartDeviceLogin, client: RequestClient): Promise<DeviceLogin> {
      await limiter.consume(deviceLoginLimit, client.ip)
      const deviceCode = createSecret()
      const userCode = formatUserCode(await insertLogin(db, body, client, deviceCode))
      return presentLogin(`${baseUrl}/device`, deviceCode, userCode)
    },

    /**
     * @throws ApiError 400 for an unknown code, 409 when the user has too many API keys, 410 for a login
     * that is expired or delivered, or whose approval was revoked.
     */
    async poll(deviceCode: string): Promise<PollResult> {
      const polled = await recordPoll(db, hashSecret(deviceCode))
      if (!polled) throw deviceError('device_code_unknown')
      const { login, tooEarly } = polled
      const { status, intervalSeconds: interval } = login
      if (status === 'delivered') throw deviceError('device_login_delivered')
      if (login.expiresAt.getTime() <= Date.now()) throw deviceError('device_login_expired')
      if (status === 'revoked') throw deviceError('device_approval_revoked')
      if (status === 'denied') return { response: { status } }
      if (tooEarly) return { response: { status: 'slow_down', interval } }
      if (status === 'pending') return { response: { status, interval } }
      return deliver(login)
    },
  }
}

const presentLogin = (
  verification_uri: string,
  device_code: string,
  user_code: string,
): DeviceLogin => ({
  device_code,
  user_code,
  verification_uri,
  verification_uri_complete: `${verification_uri}?user_code=${user_code}`,
  expires_in: LIFETIME_SECONDS,
  interval: INTERVAL_SECONDS,
})

/** @returns the user code. A code that another login has is replaced. */
const insertLogin = async (
  db: Db,
  body: StartDeviceLogin,
  client: RequestClient,
  deviceCode: string,
): Promise<string> => {
  for (;;) {
    const userCode = createUserCode()
    const isInserted = await insertDeviceLogin(db, {
      id: Bun.randomUUIDv7(),
      deviceCodeHash: hashSecret(deviceCode),
      userCode,
      clientName: body.client_name,
      wantsSession: body.session,
      ip: client.ip,
      userAgent: client.userAgent,
      intervalSeconds: INTERVAL_SECONDS,
      expiresAt: new Date(Date.now() + LIFETIME_SECONDS * 1000),
    })
    if (isInserted) return userCode
  }
}

/** Consonants only (RFC 8628, section 6.1): no two look alike, and no words are formed. */
const USER_CODE_ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'
const USER_CODE_LENGTH = 8

export const createUserCode = (): string =>
  Array.from({ length: USER_CODE_LENGTH }, () =>
    USER_CODE_ALPHABET.charAt(randomInt(USER_CODE_ALPHABET.length)),
  ).join('')

/** Formats a code for display: two groups of four. */
export const formatUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** Normalizes a typed code. Case, dashes and spaces do not matter. */
export const readUserCode = (typed: string): string =>
  readTypedCode(typed)
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
