import { type Static, Type } from '@sinclair/typebox'
import { MessageResponse } from './common.ts'
import { endpoint } from './endpoint.ts'
import { TokenResponse } from './sessions.ts'

const Code = () => Type.String({ trim: true, minLength: 1, maxLength: 64, examples: ['123456'] })

export const MfaStatus = Type.Object({
  enabled: Type.Boolean(),
  recovery_codes_remaining: Type.Integer(),
})
export type MfaStatus = Static<typeof MfaStatus>

export const MfaSetup = Type.Object({
  secret: Type.String({
    description: 'The TOTP secret in Base32, for manual entry into an authenticator app.',
  }),
  otpauth_url: Type.String(),
  qr_svg: Type.String({ description: 'A QR code of `otpauth_url`, as SVG.' }),
})
export type MfaSetup = Static<typeof MfaSetup>

export const MfaCode = Type.Object({ code: Code() })
export type MfaCode = Static<typeof MfaCode>

export const RecoveryCodes = Type.Object({
  recovery_codes: Type.Array(Type.String(), {
    description: 'Ten codes. Each can be used once. They are returned only once.',
  }),
})
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const VerifyMfa = Type.Object({
  partial_token: Type.String({ examples: ['eyJhbGciOiJIUzI1NiJ9…'] }),
  code: Code(),
})
export type VerifyMfa = Static<typeof VerifyMfa>

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
  affects: ['mfaStatus'],
  errors: {
    400: ['wrong_code', 'mfa_not_set_up'],
    403: ['org_policy'],
    409: ['mfa_already_enabled'],
  },
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
  affects: ['mfaStatus'],
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
  affects: ['mfaStatus'],
  errors: { 400: ['wrong_code', 'mfa_not_enabled'], 429: ['sign_in_locked'] },
})
