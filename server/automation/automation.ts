import type { Cipher } from '../account/mfa/cipher.ts'
import type { Gates } from '../billing/gates.ts'
import type { ChatSessionService } from '../conversation/sessions/service.ts'
import type { Memory } from '../memory/memory.ts'
import type { EmailSendingService } from '../people/email/service.ts'
import type { Database } from '../platform/db/database.ts'
import type { Fetcher } from '../platform/fetch/fetcher.ts'
import type { Jobs } from '../platform/jobs.ts'
import { createNotify } from './actions/notify.ts'
import { createRemember } from './actions/remember.ts'
import { createWebhookAction } from './actions/webhook.ts'
import { createChat } from './channels/chat.ts'
import { createEmail } from './channels/email.ts'
import { createInbox } from './channels/inbox.ts'
import { createWebhook } from './channels/webhook.ts'
import { ops } from './conditions/ops.ts'
import { createConfirmationService } from './confirmations/service.ts'
import type { Events } from './firings/events.ts'
import { startRunner } from './firings/runner.ts'
import { startSweep } from './firings/sweep.ts'
import { createIntentService } from './intents/service.ts'
import { createProactiveService } from './proactive/service.ts'
import { createReflexService } from './reflexes/service.ts'
import { createRegistry, type RecordHandlerSwitch } from './registry/service.ts'
import { startClock } from './schedules/clock.ts'
import { createSenseService } from './senses/service.ts'
import { signalTypes } from './senses/signal-types.ts'
import { triggers } from './triggers/handlers.ts'

const WEBHOOK_TIMEOUT_MS = 10_000

export type Automation = Awaited<ReturnType<typeof startAutomation>>

/** Starts what acts on what happens, with everything that it acts through. */
export const startAutomation = async ({
  database,
  jobs,
  events,
  memory,
  chatSessions,
  emails,
  gates,
  cipher,
  fetcher,
  webhookTimeoutMs = WEBHOOK_TIMEOUT_MS,
  recordSwitch,
}: {
  database: Database
  jobs: Jobs
  events: Events
  memory: Pick<Memory, 'memories' | 'facts' | 'identity'>
  chatSessions: Pick<ChatSessionService, 'tell'>
  emails: Pick<EmailSendingService, 'queue'>
  gates: Gates
  cipher: Cipher
  fetcher: Fetcher
  /** For all it takes to call a webhook; 10 seconds if left out. */
  webhookTimeoutMs?: number | undefined
  recordSwitch: RecordHandlerSwitch
}) => {
  const { memories } = memory
  const intents = createIntentService(database)
  const webhook = createWebhook(fetcher, { timeoutMs: webhookTimeoutMs })
  const channels = {
    inbox: createInbox(intents),
    chat: createChat(chatSessions),
    email: createEmail(emails),
  }
  const actions = {
    notify: createNotify(channels),
    remember: createRemember(memories),
    webhook: createWebhookAction(webhook, cipher, gates),
  }
  const confirmations = createConfirmationService(database, jobs, intents)
  const senses = createSenseService(database, events)
  await startRunner(database, jobs, intents, actions)
  const clock = await startClock(database, jobs, events)
  const sweep = await startSweep(database, jobs, {
    confirmations,
    sweepSchedules: clock.sweep,
    prune: [senses.prune, intents.prune],
  })
  const handlers = {
    action_types: Object.values(actions),
    trigger_types: triggers,
    channel_types: [...Object.values(channels), webhook],
    condition_ops: ops,
    signal_types: signalTypes,
  }
  return {
    senses,
    confirmations,
    reflexes: createReflexService(database, {
      actions,
      clock,
      confirmations,
      gates,
      cipher,
      hasDevice: senses.has,
    }),
    proactive: createProactiveService(database, intents, memory),
    registry: createRegistry(database, handlers, recordSwitch, sweep.now),
  }
}
