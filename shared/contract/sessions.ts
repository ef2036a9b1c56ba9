import { Type } from '@sinclair/typebox'
import { Limit, Message, Uuid } from '../schemas/common.ts'
import {
  AuditLog,
  DeleteAccount,
  ExchangeHandoff,
  HandedOff,
  HandoffToken,
  MintHandoff,
  Session,
} from '../schemas/sessions.ts'
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

export const mintHandoff = endpoint({
  name: 'mintHandoff',
  method: 'POST',
  path: '/api/auth/handoff/mint',
  tag,
  summary: 'A token that signs the person in on another origin',
  credential: 'cookie',
  body: MintHandoff,
  success: [200, HandoffToken],
  errors: [400, 403],
})

export const exchangeHandoff = endpoint({
  name: 'exchangeHandoff',
  method: 'POST',
  path: '/api/auth/handoff/exchange',
  tag,
  summary: 'Redeem a handoff token, from the origin it is for',
  credential: 'none',
  body: ExchangeHandoff,
  success: [200, HandedOff],
  errors: [400],
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
  errors: [400],
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
