import { MODEL_ERRORS, OverQuota } from '../errors.ts'
import { TalkAnswer, TalkRequest, talkEvents } from '../schemas/talk.ts'
import { endpoint, events } from './endpoint.ts'

const tag = 'Conversation'

export const talk = endpoint({
  name: 'talk',
  method: 'POST',
  path: '/api/talk',
  tag,
  summary: 'An agent says something, and gets the whole answer',
  credential: 'bearer',
  body: TalkRequest,
  success: [200, TalkAnswer],
  errors: [409, 429, ...MODEL_ERRORS],
  errorBodies: { 429: OverQuota },
})

export const talkStream = endpoint({
  name: 'talkStream',
  method: 'POST',
  path: '/api/talk/stream',
  tag,
  summary: 'An agent says something, and gets the answer while it is given',
  credential: 'bearer',
  body: TalkRequest,
  success: [200, events(talkEvents)],
  errors: [409, 429, ...MODEL_ERRORS],
  errorBodies: { 429: OverQuota },
})
