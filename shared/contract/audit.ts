import { Type } from '@sinclair/typebox'
import { AuditLog } from '../schemas/audit.ts'
import { PageSize, Uuid } from '../schemas/common.ts'
import { endpoint } from './endpoint.ts'

export const auditLog = endpoint({
  name: 'auditLog',
  method: 'GET',
  path: '/api/auth/audit',
  tag: 'Account',
  summary: 'List the audit events of the account, newest first',
  credential: 'jwt',
  query: Type.Object({
    limit: PageSize(50),
    cursor: Type.Optional(Uuid()),
    action: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Only events whose action starts with this.',
        examples: ['credits.'],
      }),
    ),
  }),
  success: [200, AuditLog],
})
