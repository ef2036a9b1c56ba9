import type { AccountServices } from '../account/account.ts'
import type { ActivityService } from '../account/activity/service.ts'
import { defineFeature } from '../feature.ts'
import type { MemoryServices } from '../memory/memory.ts'
import type { UsageServices } from '../usage/usage.ts'
import { agentRoutes } from './agents/routes.ts'
import type { DescribeReflex } from './chat/preparation.ts'
import { chatRoutes } from './chat/service.ts'
import { categoryRoutes } from './chat-sessions/categories.ts'
import { chatSessionRoutes } from './chat-sessions/routes.ts'
import { titleLimit } from './chat-sessions/titles.ts'
import { startConversation } from './conversation.ts'
import { fileRoutes } from './files/service.ts'
import { fileBlobs } from './files/upload.ts'
import { suggestRoutes } from './suggest/service.ts'
import { talkRoutes } from './talk/service.ts'
import { transcribeRoutes } from './transcribe/service.ts'
import { urlLimit, urlRoutes } from './url/service.ts'

interface Needs {
  activity: Pick<ActivityService, 'record'>
  account: Pick<AccountServices, 'preferences' | 'instructions'>
  usage: Pick<UsageServices, 'gates' | 'counts'>
  memory: Pick<MemoryServices, 'memories' | 'recalls'>
  automation?: { reflexes: { describe: DescribeReflex } } | undefined
}

/** Chats with the models, agents and files. */
export const conversation = defineFeature({
  name: 'conversation',
  blobs: [fileBlobs],
  limits: [urlLimit, titleLimit],
  start: (core, { activity, automation, ...needs }: Needs) =>
    startConversation(core, {
      ...needs,
      record: activity.record,
      describeReflex: automation?.reflexes.describe,
    }),
  endings: ({ agents, files }) => ({
    takeOver: [{ locks: 'agents', run: agents.resetAll }],
    user: [{ run: (tx, { id }) => files.erase(tx, id) }],
  }),
  serve({ mount }, conversation) {
    chatRoutes(mount, conversation.chats, conversation.models)
    talkRoutes(mount, conversation.talks)
    suggestRoutes(mount, conversation.suggestions)
    categoryRoutes(mount, conversation.categories)
    chatSessionRoutes(mount, conversation.chatSessions, conversation.messages, conversation.titles)
    agentRoutes(mount, conversation.agents, conversation.exchanges)
    fileRoutes(mount, conversation.files)
    transcribeRoutes(mount, conversation.transcriptions)
    urlRoutes(mount, conversation.urls)
  },
})
