import { type Static, Type } from '@sinclair/typebox'
import { OVER_QUOTA, OverQuota, RateLimitedBody } from '../errors.ts'
import { endpoint } from './endpoint.ts'

export const ReadUrl = Type.Object({
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    trim: true,
    description: 'A public http or https URL without credentials.',
    examples: ['https://example.com/article'],
  }),
})
export type ReadUrl = Static<typeof ReadUrl>

export const UrlPage = Type.Object({
  url: Type.String({ description: 'The URL of the page after redirects.' }),
  title: Type.String(),
  text: Type.String({
    description: 'Plain text or Markdown without links and images; at most 200,000 characters.',
  }),
  excerpt: Type.String({ description: 'The description of the page, or the start of its text.' }),
  word_count: Type.Integer({ description: 'Number of words.' }),
  snapshot_hash: Type.String({
    description: 'The SHA-256 hash of the text in hex. It identifies the stored copy.',
  }),
})
export type UrlPage = Static<typeof UrlPage>

/** Two limits with different bodies: ten requests per minute, and the tier's monthly quota. */
const TooManyUrls = Type.Partial(
  Type.Object({ ...RateLimitedBody.properties, ...OverQuota.properties }),
)

export const readUrl = endpoint({
  name: 'readUrl',
  queue: 'slow',
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
