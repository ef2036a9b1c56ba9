import type {
  DecideDeviceLogin,
  DeviceDecision,
  PendingDeviceLogin,
} from '../../../../shared/contract/device.ts'
import {
  decideDeviceLogin,
  pendingDeviceLogin,
  pollDeviceLogin,
  startDeviceLogin,
} from '../../../../shared/contract/index.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import type { RequestClient } from '../../../platform/http/context.ts'
import { commonError } from '../../../platform/http/error.ts'
import { defineLimit, type Limiter, MINUTE_SECONDS } from '../../../platform/http/limits.ts'
import type { Mount } from '../../../platform/http/route.ts'
import { lockMembership } from '../../organizations/membership.ts'
import { checkOrgPolicies } from '../../organizations/policies/check.ts'
import { recordAudit } from '../../users/audit/store.ts'
import { type DeviceLoginService, deviceError, readUserCode } from './service.ts'
import { decideLogin, findPendingLogin } from './store.ts'

const deviceCodes = {
  points: 5,
  windowSeconds: 10 * MINUTE_SECONDS,
  exceeded: 'Too many wrong device codes',
}

export const deviceCodesPerUser = defineLimit({
  ...deviceCodes,
  name: 'device_codes_per_user',
  per: 'user',
})
export const deviceCodesPerAddress = defineLimit({
  ...deviceCodes,
  name: 'device_codes_per_address',
  per: 'address',
})

/** The user side of the device authorization grant (RFC 8628): a signed-in user approves or denies. */
export type DeviceApprovalService = ReturnType<typeof createDeviceApprovalService>

export const createDeviceApprovalService = ({ db }: Database, limiter: Limiter) => {
  /**
   * Runs `find` for a user code. Five wrong codes block the account and the address, against brute force.
   * An attempt is counted before it is made, so that parallel attempts cannot exceed the limit.
   */
  const countingWrongCodes = async <T>(
    caller: Caller,
    client: RequestClient,
    find: () => Promise<T | undefined>,
  ): Promise<T> => {
    await limiter.consume(deviceCodesPerUser, caller.userId)
    await limiter.consume(deviceCodesPerAddress, client.ip)
    const found = await find()
    if (!found) throw deviceError('user_code_not_found')
    await limiter.refund(deviceCodesPerUser, caller.userId)
    await limiter.refund(deviceCodesPerAddress, client.ip)
    return found
  }

  return {
    /** @throws ApiError 404 when no login waits for this code, 429 after five wrong codes. */
    pending(caller: Caller, userCode: string, client: RequestClient): Promise<PendingDeviceLogin> {
      return countingWrongCodes(caller, client, async () => {
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

    /** @throws ApiError 403 for an organization that the caller is not a member of; otherwise as `pending`. */
    async decide(
      caller: Caller,
      body: DecideDeviceLogin,
      client: RequestClient,
    ): Promise<DeviceDecision> {
      const status = body.approve ? 'approved' : 'denied'
      const { userId, sessionId } = caller
      if (!sessionId) throw commonError('bad_credentials')
      return countingWrongCodes(caller, client, () =>
        db.transaction(async (tx) => {
          const orgId = body.org_id ?? null
          if (orgId) {
            await lockMembership(tx, userId, orgId)
            if (body.approve) await checkOrgPolicies(tx, caller, orgId)
          }
          const decision = { status, userId, sessionId, orgId } as const
          const login = await decideLogin(tx, readUserCode(body.user_code), decision)
          if (!login) return undefined
          const action = `device.${status}` as const
          await recordAudit(tx, { userId, action, subject: login.id, ip: client.ip })
          return { status } as const
        }),
      )
    },
  }
}

export const deviceRoutes = (
  mount: Mount,
  logins: DeviceLoginService,
  approvals: DeviceApprovalService,
): void => {
  mount(startDeviceLogin, ({ body, client }) => logins.start(body, client))
  mount(pollDeviceLogin, async ({ body, refreshCookie }) => {
    const { response, refreshToken } = await logins.poll(body.device_code)
    if (refreshToken) refreshCookie.set(refreshToken)
    return response
  })
  mount(pendingDeviceLogin, ({ caller, query, client }) =>
    approvals.pending(caller, query.user_code, client),
  )
  mount(decideDeviceLogin, ({ caller, body, client }) => approvals.decide(caller, body, client))
}
