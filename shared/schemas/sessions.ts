import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Timestamp, Uuid } from './common.ts'

export const Session = Type.Object({
  id: Uuid(),
  created_at: Timestamp(),
  last_seen_at: Timestamp({ description: 'Written at most once a minute.' }),
  ip: Nullable(Type.String()),
  user_agent: Nullable(Type.String()),
  current: Type.Boolean({ description: 'The session that asks.' }),
})
export type Session = Static<typeof Session>

export const MintHandoff = Type.Object({
  target_origin: Type.String({ description: 'An allow-listed origin.' }),
})
export type MintHandoff = Static<typeof MintHandoff>

export const HandoffToken = Type.Object({
  token: Type.String({ description: 'Good once, for 60 seconds, from that origin.' }),
})
export type HandoffToken = Static<typeof HandoffToken>

export const ExchangeHandoff = Type.Object({
  token: Type.String({ minLength: 1, badRequest: 'Invalid handoff token' }),
})
export type ExchangeHandoff = Static<typeof ExchangeHandoff>

export const HandedOff = Type.Object({
  user_id: Uuid(),
  email: Type.String(),
  access_token: Type.String(),
})
export type HandedOff = Static<typeof HandedOff>

export const DeleteAccount = Type.Object({
  password: Type.Optional(Type.String()),
  confirm: Type.Optional(
    Type.String({ description: 'The address, for an account without a password.' }),
  ),
})
export type DeleteAccount = Static<typeof DeleteAccount>

export const AuditEntry = Type.Object({
  id: Uuid(),
  action: Type.String({ examples: ['key.created'] }),
  subject: Nullable(Type.String({ description: 'The id of what it was about.' })),
  ip: Nullable(Type.String()),
  details: Type.Record(Type.String(), Type.Unknown()),
  created_at: Timestamp(),
})
export type AuditEntry = Static<typeof AuditEntry>

export const AuditLog = Type.Object({
  entries: Type.Array(AuditEntry),
  next_cursor: Nullable(Type.String({ description: 'Give it as `cursor` for the next page.' })),
})
export type AuditLog = Static<typeof AuditLog>
