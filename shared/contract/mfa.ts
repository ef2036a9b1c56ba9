import { TokenResponse } from '../schemas/account.ts'
import { Message } from '../schemas/common.ts'
import { MfaCode, MfaSetup, MfaStatus, RecoveryCodes, VerifyMfa } from '../schemas/mfa.ts'
import { endpoint } from './endpoint.ts'

const tag = 'MFA'

export const mfaStatus = endpoint({
  name: 'mfaStatus',
  method: 'GET',
  path: '/api/auth/mfa/status',
  tag,
  summary: 'Whether a second factor is asked, and how many recovery codes are left',
  credential: 'jwt',
  success: [200, MfaStatus],
})

export const setupMfa = endpoint({
  name: 'setupMfa',
  method: 'POST',
  path: '/api/auth/mfa/setup',
  tag,
  summary: 'Make a secret for an authenticator app; it counts once enabled',
  credential: 'jwt',
  success: [200, MfaSetup],
  errors: [409],
})

export const enableMfa = endpoint({
  name: 'enableMfa',
  method: 'POST',
  path: '/api/auth/mfa/enable',
  tag,
  summary: 'Ask for a second factor from now on',
  credential: 'jwt',
  body: MfaCode,
  success: [200, RecoveryCodes],
  errors: [400, 409],
})

export const verifyMfa = endpoint({
  name: 'verifyMfa',
  method: 'POST',
  path: '/api/auth/mfa/verify',
  tag,
  summary: 'Finish a sign-in with a code or a recovery code',
  credential: 'none',
  body: VerifyMfa,
  success: [200, TokenResponse],
  errors: [401, 429],
})

export const disableMfa = endpoint({
  name: 'disableMfa',
  method: 'POST',
  path: '/api/auth/mfa/disable',
  tag,
  summary: 'Ask for a password only',
  credential: 'jwt',
  body: MfaCode,
  success: [200, Message],
  errors: [400, 429],
})

export const renewRecoveryCodes = endpoint({
  name: 'renewRecoveryCodes',
  method: 'POST',
  path: '/api/auth/mfa/codes',
  tag,
  summary: 'Ten new recovery codes; the old ones end',
  credential: 'jwt',
  body: MfaCode,
  success: [200, RecoveryCodes],
  errors: [400, 429],
})
