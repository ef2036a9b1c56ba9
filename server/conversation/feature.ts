import type { Account } from '../account/account.ts'
import type { ActivityService } from '../account/activity/service.ts'
import type { Billing } from '../billing/billing.ts'
import { defineFeature } from '../feature.ts'
import type { MemoryServices } from '../memory/memory.ts'
import type { ContextService } from '../prompt/context/service.ts'
import type { DescribeReflex } from './chat/preparation.ts'
import { titleLimit } from './chat-sessions/titles.ts'
import { startConversation } from './conversation.ts'
import { fileBlobs } from './files/upload.ts'
import { sideRequestLimit, turnRequestLimit } from './proxy/counting.ts'
import { proxyRetention } from './proxy/turns.ts'
import { serveConversation } from './routes.ts'
import { urlLimit } from './url/service.ts'

interface Needs {
  activity: Pick<ActivityService, 'record'>
  account: Pick<Account, 'preferences' | 'instructions'>
  billing: Pick<Billing, 'gates' | 'usage'>
  memory: Pick<MemoryServices, 'memories' | 'recalls' | 'captures'>
  contexts: Pick<ContextService, 'recall' | 'compose' | 'record'>
  automation: { reflexes: { describe: DescribeReflex } }
}

/** Chats with the models, agents, files, and the APIs of models with memory. */
export const conversation = defineFeature({
  name: 'conversation',
  blobs: [fileBlobs],
  limits: [urlLimit, titleLimit, sideRequestLimit, turnRequestLimit],
  retention: () => [proxyRetention],
  start: (core, { activity, automation, ...needs }: Needs) =>
    startConversation(core, {
      ...needs,
      record: activity.record,
      describeReflex: automation.reflexes.describe,
    }),
  endings: ({ agents, files }) => ({
    takeOver: [{ locks: 'agents', run: agents.resetAll }],
    user: [{ run: (tx, { id }) => files.erase(tx, id) }],
  }),
  serve: (serving, conversation) => serveConversation(serving, conversation, serving.http),
})
