import { Type } from '@sinclair/typebox'
import { Limit, Message, Uuid } from '../schemas/common.ts'
import { AuditLog, DeleteAccount, Session } from '../schemas/sessions.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Sessions'

export const listSessions = endpoint({
  name: 'listSessions',
  method: 'GET',
  path: '/api/auth/sessions',
  tag,
  summary: 'Where the account is signed in',
  credential: 'session',
  success: [200, Type.Array(Session)],
})

export const revokeAllSessions = endpoint({
  name: 'revokeAllSessions',
  method: 'DELETE',
  path: '/api/auth/sessions',
  tag,
  summary: 'Sign out every device',
  credential: 'session',
  success: [200, Message],
})

export const revokeSession = endpoint({
  name: 'revokeSession',
  method: 'DELETE',
  path: '/api/auth/sessions/{session_id}',
  tag,
  summary: 'Sign out one device',
  credential: 'session',
  params: Type.Object({ session_id: Uuid() }),
  success: [204, null],
  errors: [404],
})

export const deleteAccount = endpoint({
  name: 'deleteAccount',
  method: 'DELETE',
  path: '/api/auth/delete-account',
  tag: 'Account',
  summary: 'Delete the account and everything it owns',
  credential: 'jwt',
  body: DeleteAccount,
  success: [200, Message],
  errors: [400, 409, 429],
})

export const auditLog = endpoint({
  name: 'auditLog',
  method: 'GET',
  path: '/api/auth/audit',
  tag: 'Account',
  summary: 'What happened to the account, newest first',
  credential: 'jwt',
  query: Type.Object({ limit: Limit(50), cursor: Type.Optional(Uuid()) }),
  success: [200, AuditLog],
})
