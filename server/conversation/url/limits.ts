import { RateLimited } from '../../platform/http/error.ts'
import { defineLimit, MINUTE_SECONDS } from '../../platform/http/limits.ts'

/** Pages that a user reads; the contract gives its 429 a body of its own. */
export const urlLimit = defineLimit({
  name: 'urls',
  per: 'user',
  points: 10,
  windowSeconds: MINUTE_SECONDS,
  exceeded: (seconds) => new RateLimited(seconds, 'POST'),
})
