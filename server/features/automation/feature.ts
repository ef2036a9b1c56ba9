import * as confirmationRows from '../../../shared/contract/confirmations.ts'
import { endpointsOf } from '../../../shared/contract/endpoint.ts'
import * as proactiveRows from '../../../shared/contract/proactive.ts'
import * as reflexRows from '../../../shared/contract/reflexes.ts'
import * as registryRows from '../../../shared/contract/registry.ts'
import * as senseRows from '../../../shared/contract/senses.ts'
import type { AccountServices } from '../../account/account.ts'
import type { ActivityService } from '../../account/activity/service.ts'
import { defineOptionalFeature } from '../../feature.ts'
import type { MemoryServices } from '../../memory/memory.ts'
import { createFetcher } from '../../platform/fetch/fetcher.ts'
import type { UsageServices } from '../../usage/usage.ts'
import { endAutomation, eraseAutomation, startAutomation } from './automation.ts'
import type { QueueEmail } from './channels/channels.ts'
import { createEvents } from './events/events.ts'
import { createMemoryTrigger, createMessageTrigger } from './events/sources.ts'
import { sealedWebhookSecrets } from './firings/table.ts'
import { automationRetention } from './retention.ts'
import { serveAutomation } from './routes.ts'

interface Needs {
  activity: Pick<ActivityService, 'record'>
  account: Pick<AccountServices, 'audit'>
  usage: Pick<UsageServices, 'gates'>
  memory: Pick<MemoryServices, 'memories' | 'facts' | 'identity'>
  emails: { queue: QueueEmail }
}

/** Reflexes, which act on messages, memories, times and signals, and proactive intents. */
export const automation = defineOptionalFeature({
  name: 'automation',
  option: 'automation',
  rows: [registryRows, senseRows, confirmationRows, reflexRows, proactiveRows].flatMap(endpointsOf),
  sealed: [sealedWebhookSecrets],
  retention: () => automationRetention,
  engines: ({ database, jobs }) => [
    createMemoryTrigger(database.background, createEvents(database, jobs)),
  ],
  onMessage: ({ database, jobs }) => createMessageTrigger(createEvents(database, jobs)),
  start: (
    { database, jobs, cipher, fetching },
    { activity, account, usage, memory, emails }: Needs,
  ) =>
    startAutomation({
      database,
      jobs,
      memory,
      cipher,
      events: createEvents(database, jobs),
      queueEmail: emails.queue,
      gates: usage.gates,
      fetcher: createFetcher(fetching),
      webhookTimeoutMs: fetching.timeoutMs,
      recordSwitch: account.audit.record,
      record: activity.record,
    }),
  endings: (_, { jobs }) => ({
    takeOver: [{ locks: 'sense_devices', run: endAutomation(jobs) }],
    user: [{ locks: 'sense_devices', run: eraseAutomation(jobs) }],
  }),
  serve: serveAutomation,
})
