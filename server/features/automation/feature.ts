import * as confirmationRows from '../../../shared/contract/confirmations.ts'
import { endpointsOf } from '../../../shared/contract/endpoint.ts'
import * as proactiveRows from '../../../shared/contract/proactive.ts'
import * as reflexRows from '../../../shared/contract/reflexes.ts'
import * as registryRows from '../../../shared/contract/registry.ts'
import * as senseRows from '../../../shared/contract/senses.ts'
import { DAY_MS } from '../../../shared/duration.ts'
import type { AccountServices } from '../../account/account.ts'
import type { ActivityService } from '../../account/activity/service.ts'
import { defineOptionalFeature } from '../../feature.ts'
import type { MemoryServices } from '../../memory/memory.ts'
import { createFetcher } from '../../platform/fetch/fetcher.ts'
import { defineRetention } from '../../platform/retention.ts'
import type { UsageServices } from '../../usage/usage.ts'
import { endAutomation, eraseAutomation, startAutomation } from './automation.ts'
import type { QueueEmail } from './channels/channels.ts'
import { confirmationRoutes } from './confirmations/service.ts'
import { createEvents } from './events/events.ts'
import { createMemoryTrigger, createMessageTrigger } from './events/sources.ts'
import { deleteOldFirings } from './firings/store.ts'
import { sealedWebhookSecrets } from './firings/table.ts'
import { deleteOldIntents } from './intents/store.ts'
import { proactiveRoutes } from './proactive/service.ts'
import { reflexRoutes } from './reflexes/service.ts'
import { registryRoutes } from './registry/service.ts'
import { senseRoutes } from './senses/service.ts'
import { deleteOldSignals } from './senses/store.ts'

interface Needs {
  activity: Pick<ActivityService, 'record'>
  account: Pick<AccountServices, 'audit'>
  usage: Pick<UsageServices, 'gates'>
  memory: Pick<MemoryServices, 'memories' | 'facts' | 'identity'>
  emails: { queue: QueueEmail }
}

const RETENTION_DAYS = 30
const oldest = () => new Date(Date.now() - RETENTION_DAYS * DAY_MS)

/** Reflexes, which act on messages, memories, times and signals, and proactive intents. */
export const automation = defineOptionalFeature({
  name: 'automation',
  option: 'automation',
  rows: [registryRows, senseRows, confirmationRows, reflexRows, proactiveRows].flatMap(endpointsOf),
  sealed: [sealedWebhookSecrets],
  retention: () => [
    defineRetention({ name: 'reflex_firings', run: ({ db }) => deleteOldFirings(db, oldest()) }),
    defineRetention({ name: 'sense_signals', run: ({ db }) => deleteOldSignals(db, oldest()) }),
    defineRetention({ name: 'intents', run: ({ db }) => deleteOldIntents(db, oldest()) }),
  ],
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
  serve({ mount }, { registry, senses, confirmations, reflexes, proactive }) {
    registryRoutes(mount, registry)
    senseRoutes(mount, senses)
    confirmationRoutes(mount, confirmations)
    reflexRoutes(mount, reflexes)
    proactiveRoutes(mount, proactive)
  },
})
