import { type Static, Type } from '@sinclair/typebox'
import { OneOf, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'
import { IMPORT_FILE } from './transfer.ts'

export const USER_IMPORT_FORMATS = [
  'auto',
  'svc',
  'supabase',
  'better-auth',
  'firebase',
  'pocketbase',
] as const

export const UserImportFormat = OneOf(USER_IMPORT_FORMATS, {
  description: 'The source of the file; `auto` detects it for each user.',
})
export type UserImportFormat = Static<typeof UserImportFormat>

export const UserImportReport = Type.Object({
  dry_run: Type.Boolean({ description: 'Whether nothing was stored.' }),
  imported: Type.Integer({ description: 'Number of new users.' }),
  existing: Type.Integer({
    description:
      'Number of users whose address or identity an account has, which was left as it is.',
  }),
  skipped_identities: Type.Integer({
    description: 'Number of identities of new users at providers that svc does not have.',
  }),
  skipped_factors: Type.Integer({
    description: 'Number of new users whose second factor is not in the file, or of another kind.',
  }),
  failed_count: Type.Integer({ description: 'Number of users that could not be imported.' }),
  failed: Type.Array(
    Type.Object({
      line: Type.Integer({
        description: 'The line number, or the index of the element in a JSON array; from 1.',
      }),
      field: Type.Optional(Type.String({ description: 'The field with the problem.' })),
      detail: Type.String(),
    }),
    { description: 'The first 1,000 failures.' },
  ),
})
export type UserImportReport = Static<typeof UserImportReport>

export const importUsers = endpoint({
  name: 'importUsers',
  method: 'POST',
  path: '/api/admin/users/import',
  tag: 'Admin',
  summary:
    'Import users with their password hashes: NDJSON, or an export of Supabase, better-auth, Firebase or PocketBase',
  credential: 'jwt',
  adminOnly: true,
  query: Type.Object({
    format: withDefault(UserImportFormat, 'auto'),
    dry_run: withDefault(
      Type.Boolean({ description: 'Check the file and report, but store nothing.' }),
      false,
    ),
  }),
  file: IMPORT_FILE,
  success: [200, UserImportReport],
  affects: ['listUsers', 'adminStats', 'adminAuditLog'],
  errors: { 403: ['admin_revoked'] },
})
