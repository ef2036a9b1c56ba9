import { type Static, Type } from '@sinclair/typebox'

const Code = () => Type.String({ trim: true, minLength: 1, maxLength: 64, examples: ['123456'] })

export const MfaStatus = Type.Object({
  enabled: Type.Boolean(),
  recovery_codes_remaining: Type.Integer(),
})
export type MfaStatus = Static<typeof MfaStatus>

export const MfaSetup = Type.Object({
  secret: Type.String({ description: 'Base32, for typing into an authenticator app.' }),
  otpauth_url: Type.String(),
  qr_svg: Type.String({ description: 'The same as a QR code.' }),
})
export type MfaSetup = Static<typeof MfaSetup>

export const MfaCode = Type.Object({ code: Code() })
export type MfaCode = Static<typeof MfaCode>

export const RecoveryCodes = Type.Object({
  recovery_codes: Type.Array(Type.String(), {
    description: 'Ten; each works once. Shown now only.',
  }),
})
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const MfaPending = Type.Object({
  mfa_required: Type.Literal(true),
  partial_token: Type.String({ description: 'Good for 5 minutes and five codes.' }),
})
export type MfaPending = Static<typeof MfaPending>

export const VerifyMfa = Type.Object({
  partial_token: Type.String(),
  code: Code(),
})
export type VerifyMfa = Static<typeof VerifyMfa>
