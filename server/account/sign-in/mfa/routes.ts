import {
  disableMfa,
  enableMfa,
  mfaStatus,
  renewRecoveryCodes,
  setupMfa,
} from '../../../../shared/contract/index.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { MfaService } from './service.ts'

export const mfaRoutes = (mount: Mount, mfa: MfaService): void => {
  mount(mfaStatus, ({ caller }) => mfa.status(caller))
  mount(setupMfa, ({ caller }) => mfa.setup(caller))
  mount(enableMfa, ({ caller, body, client }) => mfa.enable(caller, body.code, client))
  mount(disableMfa, async ({ caller, body, client }) => {
    await mfa.disable(caller, body.code, client)
    return { message: 'Second factor disabled. You sign in with your password only.' }
  })
  mount(renewRecoveryCodes, ({ caller, body, client }) => mfa.renewCodes(caller, body.code, client))
}
