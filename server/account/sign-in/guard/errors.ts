import { defineErrors } from '../../../platform/http/error.ts'

export const signInGuardError = defineErrors({
  sign_in_locked: (minutes: number) => ({
    status: 429,
    detail: `Too many failed sign-ins. Try again in ${minutes} minute${minutes === 1 ? '' : 's'}.`,
  }),
})
