import { MODEL_ERRORS, OVER_QUOTA, OverQuota } from '../errors.ts'
import { TalkAnswer, TalkRequest, TalkStreamQuery, talkEvents } from '../schemas/talk.ts'
import { endpoint, events } from './endpoint.ts'

const tag = 'Conversation'

export const talk = endpoint({
  name: 'talk',
  method: 'POST',
  path: '/api/talk',
  tag,
  summary: 'Send a message as an agent and get the complete answer',
  credential: 'bearer',
  body: TalkRequest,
  success: [200, TalkAnswer],
  errors: { 409: ['cap_reached'], 429: OVER_QUOTA, ...MODEL_ERRORS },
  errorBodies: { 429: OverQuota },
})

export const talkStream = endpoint({
  name: 'talkStream',
  method: 'POST',
  path: '/api/talk/stream',
  tag,
  summary: 'Send a message as an agent and stream the answer',
  credential: 'bearer',
  query: TalkStreamQuery,
  body: TalkRequest,
  success: [200, events(talkEvents)],
  errors: { 409: ['cap_reached'], 429: OVER_QUOTA, ...MODEL_ERRORS },
  errorBodies: { 429: OverQuota },
})
