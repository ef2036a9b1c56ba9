import { MessageResponse } from '../schemas/common.ts'
import { MfaCode, MfaSetup, MfaStatus, RecoveryCodes, VerifyMfa } from '../schemas/mfa.ts'
import { TokenResponse } from '../schemas/sessions.ts'
import { endpoint } from './endpoint.ts'

const tag = 'MFA'

export const mfaStatus = endpoint({
  name: 'mfaStatus',
  method: 'GET',
  path: '/api/auth/mfa/status',
  tag,
  summary: 'Get whether MFA is enabled, and the number of unused recovery codes',
  credential: 'jwt',
  success: [200, MfaStatus],
})

export const setupMfa = endpoint({
  name: 'setupMfa',
  method: 'POST',
  path: '/api/auth/mfa/setup',
  tag,
  summary: 'Create a TOTP secret for an authenticator app; it takes effect once enabled',
  credential: 'jwt',
  success: [200, MfaSetup],
  errors: { 409: ['mfa_already_enabled'] },
})

export const enableMfa = endpoint({
  name: 'enableMfa',
  method: 'POST',
  path: '/api/auth/mfa/enable',
  tag,
  summary: 'Enable MFA',
  credential: 'jwt',
  body: MfaCode,
  success: [200, RecoveryCodes],
  errors: { 400: ['wrong_code', 'mfa_not_set_up'], 409: ['mfa_already_enabled'] },
})

export const verifyMfa = endpoint({
  name: 'verifyMfa',
  method: 'POST',
  path: '/api/auth/mfa/verify',
  tag,
  summary: 'Complete a sign-in with a TOTP code or a recovery code',
  credential: 'none',
  body: VerifyMfa,
  success: [200, TokenResponse],
  errors: {
    401: ['wrong_sign_in_code', 'challenge_ended'],
    403: ['account_disabled'],
    429: ['sign_in_locked'],
  },
})

export const disableMfa = endpoint({
  name: 'disableMfa',
  method: 'POST',
  path: '/api/auth/mfa/disable',
  tag,
  summary: 'Disable MFA',
  credential: 'jwt',
  body: MfaCode,
  success: [200, MessageResponse],
  errors: { 400: ['wrong_code', 'mfa_not_enabled'], 429: ['sign_in_locked'] },
})

export const renewRecoveryCodes = endpoint({
  name: 'renewRecoveryCodes',
  method: 'POST',
  path: '/api/auth/mfa/codes',
  tag,
  summary: 'Replace the recovery codes with ten new ones',
  credential: 'jwt',
  body: MfaCode,
  success: [200, RecoveryCodes],
  errors: { 400: ['wrong_code', 'mfa_not_enabled'], 429: ['sign_in_locked'] },
})
