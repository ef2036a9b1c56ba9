import { defineErrors } from '../../../platform/http/error.ts'

export const emailVerificationError = defineErrors({
  verification_token_malformed: { status: 400, detail: 'Invalid verification token' },
  verification_link_invalid: { status: 410, detail: 'This link has expired or was already used' },
  email_already_verified: { status: 400, detail: 'The email address is already verified' },
})
