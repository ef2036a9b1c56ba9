import type { Conversation } from '../../conversation/conversation.ts'
import type { Core } from '../../feature.ts'
import type { UsageServices } from '../../usage/usage.ts'
import { type AnnounceMessage, startAnswers } from './dm/answers.ts'
import { createDirectMessageService } from './dm/messages.ts'
import { createDmPresenter } from './dm/present.ts'
import { createDirectThreadService } from './dm/threads.ts'
import { createShareService } from './shares/service.ts'

export type People = ReturnType<typeof startPeople>

/** Starts direct messages and shares. */
export const startPeople = (
  { baseUrl, database, jobs, limiter, models, onMessage }: Core,
  {
    usage: { counts: usage },
    conversation: { prompts, chatSessions },
    announce,
  }: {
    usage: Pick<UsageServices, 'counts'>
    conversation: Pick<Conversation, 'prompts' | 'chatSessions'>
    announce: AnnounceMessage
  },
) => {
  const present = createDmPresenter(baseUrl)
  const answers = startAnswers({ announce, database, jobs, prompts, models, usage })
  return {
    answers,
    directThreads: createDirectThreadService(database, limiter, present),
    directMessages: createDirectMessageService(database, {
      answers,
      limiter,
      present,
      onMessage,
      announce,
    }),
    shares: createShareService(database, chatSessions, { baseUrl }),
  }
}
