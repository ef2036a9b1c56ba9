import {
  disableMfa,
  enableMfa,
  mfaStatus,
  renewRecoveryCodes,
  setupMfa,
  verifyMfa,
} from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { SessionService } from '../sessions/service.ts'
import type { MfaService } from './service.ts'

export const mfaRoutes = (mount: Mount, mfa: MfaService, sessions: SessionService): void => {
  mount(mfaStatus, ({ caller }) => mfa.status(caller))
  mount(setupMfa, ({ caller }) => mfa.setup(caller))
  mount(enableMfa, ({ caller, body, client }) => mfa.enable(caller, body.code, client))
  mount(verifyMfa, async ({ body, client, refreshCookie }) => {
    const { answer, refreshToken } = await sessions.verifyCode(body, client)
    refreshCookie.set(refreshToken)
    return answer
  })
  mount(disableMfa, async ({ caller, body, client }) => {
    await mfa.disable(caller, body.code, client)
    return { message: 'A password is enough to sign in again' }
  })
  mount(renewRecoveryCodes, ({ caller, body, client }) => mfa.renewCodes(caller, body.code, client))
}
