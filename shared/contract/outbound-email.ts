import { type Static, Type } from '@sinclair/typebox'
import { OVER_QUOTA, OverQuota } from '../errors.ts'
import { Nullable, OneOf, PageSize, Timestamp, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'

export const SendEmail = Type.Object({
  to: Type.Array(Type.String({ examples: ['grace@example.com'] }), {
    minItems: 1,
    maxItems: 50,
    description: 'Email addresses without names or groups. Each recipient gets a separate email.',
  }),
  subject: Type.String({
    minLength: 1,
    maxLength: 500,
    trim: true,
    // A line break would start another header (header injection).
    pattern: '^[^\\x00-\\x1f\\x7f\\x85\\u2028\\u2029]*$',
    description: 'A single line.',
    examples: ['Notes of Tuesday'],
  }),
  text: Type.String({ minLength: 1, maxLength: 65_536, examples: ['The train leaves at nine.'] }),
  html: Type.Optional(
    Nullable(Type.String({ maxLength: 262_144 }), {
      description: 'The HTML version of the text. It is sent unchanged.',
    }),
  ),
  reply_to_thread: Type.Optional(
    Nullable(Uuid(), { description: 'The thread of the caller that this email continues.' }),
  ),
})
export type SendEmail = Static<typeof SendEmail>

const EmailState = OneOf(['queued', 'sent', 'failed'], {
  description:
    '`sent`: accepted by the mail server. `failed`: rejected permanently, or not accepted within a day.',
})

export const EmailThread = Type.Object(
  {
    thread_id: Uuid(),
    subject: Type.String(),
    message_count: Type.Integer(),
    created_at: Timestamp(),
    last_message_at: Timestamp(),
    queued: Type.Integer({ description: 'Number of emails that are not yet accepted.' }),
    sent: Type.Integer(),
    failed: Type.Integer(),
  },
  { $id: 'EmailThread' },
)
export type EmailThread = Static<typeof EmailThread>

const EmailRecipient = Type.Object({
  address: Type.String(),
  state: EmailState,
  reason: Nullable(
    Type.String({ description: 'Why delivery failed, as reported by the mail server.' }),
  ),
  updated_at: Timestamp({ description: 'When the state last changed.' }),
})

export const EmailMessage = Type.Object(
  {
    message_id: Uuid(),
    subject: Type.String(),
    text: Type.String(),
    html: Nullable(Type.String()),
    created_at: Timestamp(),
    recipients: Type.Array(EmailRecipient),
  },
  { $id: 'EmailMessage' },
)
export type EmailMessage = Static<typeof EmailMessage>

const NextCursor = Nullable(
  Type.String({ description: 'Pass it as `cursor` to get the next page; null on the last page.' }),
)

export const EmailThreads = Type.Object({
  threads: Type.Array(EmailThread),
  next_cursor: NextCursor,
})
export type EmailThreads = Static<typeof EmailThreads>

export const EmailThreadDetail = Type.Object({
  ...EmailThread.properties,
  messages: Type.Array(EmailMessage, { description: 'Newest first.' }),
  next_cursor: NextCursor,
})
export type EmailThreadDetail = Static<typeof EmailThreadDetail>

export const EmailQuery = Type.Object({
  limit: PageSize(20),
  cursor: Type.Optional(Uuid({ description: 'The last item of the previous page.' })),
})
export type EmailQuery = Static<typeof EmailQuery>

const tag = 'Email'

export const sendEmail = endpoint({
  name: 'sendEmail',
  method: 'POST',
  path: '/api/email/send',
  tag,
  summary: 'Send an email to up to 50 recipients, each as a separate email',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  body: SendEmail,
  success: [200, Type.Object({})],
  affects: ['listEmailThreads', 'getEmailThread'],
  errors: { 404: ['email_thread_not_found'], 429: OVER_QUOTA },
  errorBodies: { 429: OverQuota },
})

export const listEmailThreads = endpoint({
  name: 'listEmailThreads',
  method: 'GET',
  path: '/api/email/threads',
  tag,
  summary: 'List the caller’s email threads, most recent message first',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  query: EmailQuery,
  success: [200, EmailThreads],
})

export const getEmailThread = endpoint({
  name: 'getEmailThread',
  method: 'GET',
  path: '/api/email/threads/{thread_id}',
  tag,
  summary: 'Get the messages of a thread with the delivery state of each email',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params: Type.Object({ thread_id: Uuid() }),
  query: EmailQuery,
  success: [200, EmailThreadDetail],
  errors: { 404: ['email_thread_not_found'] },
})
