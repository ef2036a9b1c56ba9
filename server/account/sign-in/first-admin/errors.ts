import { defineErrors } from '../../../platform/http/error.ts'

export const firstAdminError = defineErrors({
  admin_claim_link_invalid: {
    status: 410,
    detail:
      'This link was used or has expired. While there is no admin, each start of the server prints a new link.',
  },
})
