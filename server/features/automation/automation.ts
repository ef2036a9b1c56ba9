import type { RecordActivity } from '../../account/activity/service.ts'
import type { MemoryServices } from '../../memory/memory.ts'
import { budgets } from '../../platform/budgets.ts'
import type { Cipher } from '../../platform/cipher.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Fetcher } from '../../platform/fetch/fetcher.ts'
import type { Jobs } from '../../platform/jobs.ts'
import type { Gates } from '../../usage/gates.ts'
import { createNotifyAction, createRememberAction, createWebhookAction } from './actions/actions.ts'
import {
  createChatChannel,
  createEmailChannel,
  createInboxChannel,
  type QueueEmail,
} from './channels/channels.ts'
import { createWebhookChannel } from './channels/webhook.ts'
import { ops } from './conditions/conditions.ts'
import { createConfirmationService } from './confirmations/service.ts'
import type { Events } from './events/events.ts'
import { eraseFirings } from './firings/firing.ts'
import { deleteReflexes } from './firings/reflex-store.ts'
import { deleteFiringsBy } from './firings/store.ts'
import { createIntentService } from './intents/service.ts'
import { deleteIntentsOf, deleteOpenIntents } from './intents/store.ts'
import { createProactiveService } from './proactive/service.ts'
import { createReflexService } from './reflexes/service.ts'
import { createRegistry, type RecordHandlerSwitch } from './registry/service.ts'
import { startRunner } from './runner/runner.ts'
import { startSweep } from './runner/sweep.ts'
import { startClock } from './schedules/clock.ts'
import { createSenseService } from './senses/service.ts'
import { signalTypes } from './senses/signals.ts'
import { deleteDevices } from './senses/store.ts'
import { triggers } from './triggers/handlers.ts'

/**
 * Removes the queued jobs of a user within the transaction that deletes the account, and what the user's messages
 * caused for others: those keep no name and no text of it.
 */
export const eraseAutomation =
  (jobs: Jobs) =>
  async (tx: Db, { id }: { id: string }): Promise<void> => {
    await eraseFirings(jobs)(tx, { id })
    await deleteIntentsOf(tx, await deleteFiringsBy(tx, id))
  }

/** Deletes the reflexes, devices and open intents of a user. */
export const endAutomation =
  (jobs: Jobs) =>
  async (tx: Db, userId: string): Promise<void> => {
    await eraseFirings(jobs)(tx, { id: userId })
    await deleteDevices(tx, userId)
    await deleteReflexes(tx, userId)
    await deleteOpenIntents(tx, userId)
  }

export type Automation = Awaited<ReturnType<typeof startAutomation>>

/** Starts reflexes with their triggers, actions and channels, and proactive intents. */
export const startAutomation = async ({
  database,
  jobs,
  events,
  memory,
  queueEmail,
  gates,
  cipher,
  fetcher,
  webhookTimeoutMs = budgets.webhook.ms,
  recordSwitch,
  record,
}: {
  database: Database
  jobs: Jobs
  events: Events
  memory: Pick<MemoryServices, 'memories' | 'facts' | 'identity'>
  queueEmail: QueueEmail
  gates: Gates
  cipher: Cipher
  fetcher: Fetcher
  /** For the whole call of a webhook. */
  webhookTimeoutMs?: number | undefined
  recordSwitch: RecordHandlerSwitch
  record: RecordActivity
}) => {
  const { memories } = memory
  const intents = createIntentService(database)
  const webhook = createWebhookChannel(fetcher, { timeoutMs: webhookTimeoutMs })
  const channels = {
    inbox: createInboxChannel(intents),
    chat: createChatChannel(),
    email: createEmailChannel(queueEmail),
  }
  const actions = {
    notify: createNotifyAction(channels),
    remember: createRememberAction(memories),
    webhook: createWebhookAction(webhook, cipher, gates),
  }
  const confirmations = createConfirmationService(database, jobs, intents)
  const senses = createSenseService(database, events)
  startRunner(database, jobs, intents, { actions, record })
  const clock = startClock(database, jobs, events)
  const sweep = await startSweep(database, jobs, {
    confirmations,
    queueDueReflexes: clock.queueDue,
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
    registry: createRegistry(database, handlers, {
      gates,
      recordSwitch,
      startWaiting: sweep.now,
    }),
  }
}
