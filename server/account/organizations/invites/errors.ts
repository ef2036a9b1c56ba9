import { defineErrors } from '../../../platform/http/error.ts'
import type { EmailProblem } from '../../users/email-address.ts'

const ADDRESS_PROBLEMS: Record<EmailProblem, string> = {
  malformed: 'Input should be a valid email address',
  disposable: 'Disposable email addresses are not allowed',
}

export const inviteError = defineErrors({
  invalid_invite_email: (problem: EmailProblem) => ({
    status: 422,
    detail: [{ loc: ['body', 'email'], type: 'value_error', msg: ADDRESS_PROBLEMS[problem] }],
  }),
  already_org_member: { status: 409, detail: 'A member already has this email address' },
  invite_not_found: { status: 404, detail: 'Invite not found' },
  invite_not_open: {
    status: 410,
    detail: 'This invitation has expired, was withdrawn, or was answered already',
  },
  invite_for_other_address: {
    status: 403,
    detail: 'This invitation is for another email address',
  },
})
