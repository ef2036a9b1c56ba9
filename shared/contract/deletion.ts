import { type Static, Type } from '@sinclair/typebox'
import { MessageResponse } from './common.ts'
import { endpoint } from './endpoint.ts'

export const DeleteAccount = Type.Object(
  {
    password: Type.Optional(Type.String()),
    confirm: Type.Optional(
      Type.String({ description: 'The email address, for an account without a password.' }),
    ),
  },
  { examples: [{ password: 'correct horse battery staple' }] },
)
export type DeleteAccount = Static<typeof DeleteAccount>

export const deleteAccount = endpoint({
  name: 'deleteAccount',
  method: 'DELETE',
  path: '/api/auth/delete-account',
  tag: 'Account',
  summary: 'Delete the account and everything it owns',
  credential: 'jwt',
  body: DeleteAccount,
  success: [200, MessageResponse],
  errors: {
    400: ['deletion_password_missing', 'deletion_password_wrong', 'deletion_not_confirmed'],
    409: ['sole_org_owner'],
    429: ['password_checks_rate_limited'],
  },
})
