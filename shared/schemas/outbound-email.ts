import { type Static, Type } from '@sinclair/typebox'
import { Limit, Nullable, OneOf, Timestamp, Uuid } from './common.ts'

export const SendEmail = Type.Object({
  to: Type.Array(Type.String({ examples: ['grace@example.com'] }), {
    minItems: 1,
    maxItems: 50,
    description: 'Addresses and nothing else: no names, no groups. Each is sent a mail of its own.',
  }),
  subject: Type.String({
    minLength: 1,
    maxLength: 500,
    trim: true,
    // A line of its own would be another header.
    pattern: '^[^\\x00-\\x1f\\x7f\\x85\\u2028\\u2029]*$',
    description: 'One line.',
    examples: ['Notes of Tuesday'],
  }),
  text: Type.String({ minLength: 1, maxLength: 65_536 }),
  html: Type.Optional(
    Nullable(Type.String({ maxLength: 262_144 }), {
      description: 'The same as HTML, sent as it is given.',
    }),
  ),
  reply_to_thread: Type.Optional(
    Nullable(Uuid(), { description: 'A thread of the caller’s that this mail goes on with.' }),
  ),
})
export type SendEmail = Static<typeof SendEmail>

const EmailState = OneOf(['queued', 'sent', 'failed'], {
  description:
    '`sent` once the mail server has taken it; `failed` once it refused it for good, or had not taken it after a day.',
})

export const EmailThread = Type.Object({
  thread_id: Uuid(),
  subject: Type.String(),
  message_count: Type.Integer(),
  created_at: Timestamp(),
  last_message_at: Timestamp(),
  queued: Type.Integer({ description: 'How many mails of it are on their way.' }),
  sent: Type.Integer(),
  failed: Type.Integer(),
})
export type EmailThread = Static<typeof EmailThread>

const EmailRecipient = Type.Object({
  address: Type.String(),
  state: EmailState,
  reason: Nullable(Type.String({ description: 'Why it failed; the mail server’s own words.' })),
  updated_at: Timestamp({ description: 'Since when it is in this state.' }),
})

export const EmailMessage = Type.Object({
  message_id: Uuid(),
  subject: Type.String(),
  text: Type.String(),
  html: Nullable(Type.String()),
  created_at: Timestamp(),
  recipients: Type.Array(EmailRecipient),
})
export type EmailMessage = Static<typeof EmailMessage>

const Next = Nullable(Type.String({ description: 'Give it as `cursor` for the next page.' }))

export const EmailThreads = Type.Object({ threads: Type.Array(EmailThread), next_cursor: Next })
export type EmailThreads = Static<typeof EmailThreads>

export const EmailThreadDetail = Type.Object({
  ...EmailThread.properties,
  messages: Type.Array(EmailMessage, { description: 'Newest first.' }),
  next_cursor: Next,
})
export type EmailThreadDetail = Static<typeof EmailThreadDetail>

export const EmailQuery = Type.Object({
  limit: Limit(20),
  cursor: Type.Optional(Uuid({ description: 'The last one of the page before.' })),
})
export type EmailQuery = Static<typeof EmailQuery>
