import { Type } from '@sinclair/typebox'
import { OVER_QUOTA, OverQuota } from '../errors.ts'
import { Uuid } from '../schemas/common.ts'
import {
  EmailQuery,
  EmailThreadDetail,
  EmailThreads,
  SendEmail,
} from '../schemas/outbound-email.ts'
import { endpoint } from './endpoint.ts'

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
