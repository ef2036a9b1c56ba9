import { randomBytes } from 'node:crypto'
import type {
  AnswerDeviceLogin,
  DeviceAnswer,
  DeviceLogin,
  DeviceLoginResult,
  DeviceQuestion,
  StartDeviceLogin,
} from '../../../shared/schemas/device.ts'
import { holdMembership } from '../../people/orgs/membership.ts'
import type { Database } from '../../platform/db/database.ts'
import { limiterKey } from '../../platform/http/address.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Client } from '../../platform/http/route.ts'
import { recordAudit } from '../audit/store.ts'
import type { KeyService } from '../keys/service.ts'
import { hashSecret } from '../keys/token.ts'
import type { SessionService } from '../sessions/service.ts'
import { checkEnabled } from '../users/enabled.ts'
import { holdUser } from '../users/hold.ts'
import { presentUser } from '../users/present.ts'
import { createUserCode, formatUserCode, readUserCode } from './codes.ts'
import {
  decideLogin,
  deleteOldDeviceLogins,
  findPendingLogin,
  insertDeviceLogin,
  markDelivered,
  notePoll,
} from './store.ts'
import type { DeviceLoginRow } from './table.ts'

const LIFETIME_SECONDS = 600
const INTERVAL_SECONDS = 5

export type DeviceService = ReturnType<typeof createDeviceService>

/**
 * The device authorization grant (RFC 8628): a client without a browser gets an API key once a
 * signed-in person has compared its code and approved.
 */
export const createDeviceService = (
  { db }: Database,
  keys: KeyService,
  sessions: SessionService,
  limits: Limits,
  settings: { baseUrl: string },
) => {
  /**
   * Runs `look` for a code; five wrong codes end guessing for the account and for the address. A
   * guess is counted before it is tried, so that parallel ones cannot pass the limit together.
   */
  const guarded = async <T>(
    caller: Caller,
    client: Client,
    look: () => Promise<T | undefined>,
  ): Promise<T> => {
    const guessers = [`user:${caller.userId}`, `address:${limiterKey(client.ip)}`]
    for (const guesser of guessers) await limits.deviceCodes.take(guesser)
    const found = await look()
    if (!found) throw new ApiError(404, 'No login is waiting with this code')
    for (const guesser of guessers) await limits.deviceCodes.giveBack(guesser)
    return found
  }

  return {
    /** @throws ApiError 429 for too many from one address. */
    async start(body: StartDeviceLogin, client: Client): Promise<DeviceLogin> {
      await limits.deviceLogins(client.ip)
      await deleteOldDeviceLogins(db)
      const deviceCode = randomBytes(32).toString('base64url')
      let userCode = createUserCode()
      while (
        !(await insertDeviceLogin(db, {
          id: Bun.randomUUIDv7(),
          deviceCodeHash: hashSecret(deviceCode),
          userCode,
          clientName: body.client_name,
          wantsSession: body.session,
          ip: client.ip,
          userAgent: client.userAgent,
          intervalSeconds: INTERVAL_SECONDS,
          expiresAt: new Date(Date.now() + LIFETIME_SECONDS * 1000),
        }))
      )
        userCode = createUserCode()
      const verification_uri = `${settings.baseUrl}/device`
      return {
        device_code: deviceCode,
        user_code: formatUserCode(userCode),
        verification_uri,
        verification_uri_complete: `${verification_uri}?user_code=${formatUserCode(userCode)}`,
        expires_in: LIFETIME_SECONDS,
        interval: INTERVAL_SECONDS,
      }
    },

    /**
     * @returns how things stand; with an approved session login also its refresh token.
     * @throws ApiError 400 for a code that never was, 409 where there is no room for the key, 410 for one
     * that ended or was delivered.
     */
    async poll(deviceCode: string): Promise<{ answer: DeviceLoginResult; refreshToken?: string }> {
      const polled = await notePoll(db, hashSecret(deviceCode))
      if (!polled) throw new ApiError(400, 'Unknown device code')
      const { login, tooEarly } = polled
      if (login.status === 'delivered') throw new ApiError(410, 'This login was already delivered')
      if (login.expiresAt.getTime() <= Date.now()) throw new ApiError(410, 'This login has expired')
      if (login.status === 'denied') return { answer: { status: 'denied' } }
      if (tooEarly) return { answer: { status: 'slow_down', interval: login.intervalSeconds } }
      if (login.status === 'pending')
        return { answer: { status: 'pending', interval: login.intervalSeconds } }
      return deliver(login)
    },

    /** What is asking, so that the person can decide. */
    question(caller: Caller, userCode: string, client: Client): Promise<DeviceQuestion> {
      return guarded(caller, client, async () => {
        const login = await findPendingLogin(db, readUserCode(userCode))
        return (
          login && {
            client_name: login.clientName,
            session: login.wantsSession,
            created_at: login.createdAt.toISOString(),
            ip: login.ip,
          }
        )
      })
    },

    /** @throws ApiError 403 for an organization the caller is not in, 404 when nothing waits with this code. */
    async answer(caller: Caller, body: AnswerDeviceLogin, client: Client): Promise<DeviceAnswer> {
      const status = body.approve ? 'approved' : 'denied'
      return guarded(caller, client, () =>
        db.transaction(async (tx) => {
          const orgId = body.org_id ?? null
          if (orgId) await holdMembership(tx, caller.userId, orgId)
          const login = await decideLogin(tx, readUserCode(body.user_code), {
            status,
            userId: caller.userId,
            orgId,
          })
          if (!login) return undefined
          await recordAudit(tx, {
            userId: caller.userId,
            action: `device.${status}`,
            subject: login.id,
            ip: client.ip,
          })
          return { status } as const
        }),
      )
    },
  }

  /** Makes the key only now, so that it is never stored, and only for the poll that marks it delivered. */
  function deliver(
    login: DeviceLoginRow,
  ): Promise<{ answer: DeviceLoginResult; refreshToken?: string }> {
    return db.transaction(async (tx) => {
      const user = login.userId ? await holdUser(tx, login.userId) : undefined
      if (!user || !(await markDelivered(tx, login.id)))
        throw new ApiError(410, 'This login was already delivered')
      checkEnabled(user)
      const key = await keys.issue(tx, {
        userId: user.id,
        name: login.clientName,
        orgId: login.orgId,
      })
      const answer = {
        status: 'approved',
        api_key: key.key,
        key_id: key.id,
        user: presentUser(user),
      } as const
      if (!login.wantsSession) return { answer }
      const signedIn = await sessions.start(tx, user, {
        ip: login.ip ?? '',
        userAgent: login.userAgent,
      })
      return { answer: { ...answer, ...signedIn.answer }, refreshToken: signedIn.refreshToken }
    })
  }
}
