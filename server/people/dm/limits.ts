import { DAY_SECONDS, defineLimit, MINUTE_SECONDS } from '../../platform/http/limits.ts'

/** Users whom a user writes to for the first time. */
export const newThreadLimit = defineLimit({
  name: 'new_threads',
  per: 'user',
  points: 50,
  windowSeconds: DAY_SECONDS,
  exceeded: 'Too many new threads',
})
export const directMessageLimit = defineLimit({
  name: 'direct_messages',
  per: 'user',
  points: 60,
  windowSeconds: MINUTE_SECONDS,
  exceeded: 'Too many messages sent',
})
