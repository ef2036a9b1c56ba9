import { Type } from '@sinclair/typebox'
import { OverQuota } from '../errors.ts'
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
  summary: 'Mail up to 50 people, each in a mail of their own',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  body: SendEmail,
  success: [200, Type.Object({})],
  errors: [404, 429],
  errorBodies: { 429: OverQuota },
})

export const listEmailThreads = endpoint({
  name: 'listEmailThreads',
  method: 'GET',
  path: '/api/email/threads',
  tag,
  summary: 'What the caller has mailed, by thread, the one last written to first',
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
  summary: 'The messages of a thread, and what came of each mail',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params: Type.Object({ thread_id: Uuid() }),
  query: EmailQuery,
  success: [200, EmailThreadDetail],
  errors: [404],
})
