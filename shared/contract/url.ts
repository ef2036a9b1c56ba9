import { Type } from '@sinclair/typebox'
import { OVER_QUOTA, OverQuota, RateLimitedBody } from '../errors.ts'
import { ReadUrl, UrlPage } from '../schemas/url.ts'
import { endpoint } from './endpoint.ts'

/** Two limits with different bodies: ten requests per minute, and the tier's monthly quota. */
const TooManyUrls = Type.Partial(
  Type.Object({ ...RateLimitedBody.properties, ...OverQuota.properties }),
)

export const readUrl = endpoint({
  name: 'readUrl',
  method: 'POST',
  path: '/api/url',
  tag: 'Conversation',
  summary: 'Read the text of a public web page, PDF or text file',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  body: ReadUrl,
  success: [200, UrlPage],
  errors: { 400: ['url_forbidden'], 429: OVER_QUOTA, 502: ['url_unreadable'] },
  errorBodies: { 429: TooManyUrls },
})
