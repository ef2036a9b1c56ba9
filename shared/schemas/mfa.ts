import { type Static, Type } from '@sinclair/typebox'

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

export const MfaPending = Type.Object({
  mfa_required: Type.Literal(true),
  partial_token: Type.String({ description: 'Valid for 5 minutes and five attempts.' }),
})
export type MfaPending = Static<typeof MfaPending>

export const VerifyMfa = Type.Object({
  partial_token: Type.String({ examples: ['eyJhbGciOiJIUzI1NiJ9…'] }),
  code: Code(),
})
export type VerifyMfa = Static<typeof VerifyMfa>
