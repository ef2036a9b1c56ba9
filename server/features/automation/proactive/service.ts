import { isUuid } from '../../../../shared/contract/common.ts'
import {
  giveFeedback,
  listProactiveIntents,
  listUpcomingReminders,
} from '../../../../shared/contract/index.ts'
import type {
  ProactiveFeedback,
  ProactiveIntent,
  ProactiveKind,
  UpcomingReminder,
} from '../../../../shared/contract/proactive.ts'
import { DAY_MS } from '../../../../shared/duration.ts'
import { readableOwners } from '../../../memory/wall.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { defineErrors } from '../../../platform/http/error.ts'
import type { Mount } from '../../../platform/http/route.ts'
import { lockReflexOwner } from '../firings/firing.ts'
import type { IntentRow, IntentService, NewIntent } from '../intents/service.ts'
import { proactiveIntents, type Sources, upcomingReminders } from './sources.ts'

const proactiveError = defineErrors({
  intent_not_found: { status: 404, detail: 'Intent not found' },
})

/** The latest notifications of reflexes to consider. */
const MAX_NOTIFICATIONS = 100
const SNOOZE_MS = DAY_MS
/** Older feedback does not count. */
const FEEDBACK_MS = 90 * DAY_MS

/** Reminders, which the user asked for, come before conflicts and questions. */
const WEIGHTS: Record<ProactiveKind, number> = { reminder: 3, conflict: 2, question: 1 }
/** The maximum that feedback on a kind adds to the weight of its intents. */
const MAX_KIND_FEEDBACK = 3
/** Feedback on an intent moves it among its kind. */
const INTENT_FEEDBACK = 0.5
const MAX_QUESTIONS = 3
/** At this feedback on questions, none is shown. */
const HIDE_QUESTIONS_AT = -2

type ProactiveRow = IntentRow & { kind: ProactiveKind }

type ProactiveService = ReturnType<typeof createProactiveService>

/** Reminders, conflicts and questions that svc shows on its own initiative, and feedback on them. */
export const createProactiveService = (
  { db }: Database,
  intents: IntentService,
  sources: Sources,
) => {
  const find = async (tx: Db, userId: string, intentId: string): Promise<IntentRow> => {
    const intent = isUuid(intentId) ? await intents.find(userId, intentId, tx) : undefined
    if (!intent || !isProactive(intent)) throw proactiveError('intent_not_found')
    return intent
  }

  const open = async (userId: string, newIntents: NewIntent[]): Promise<IntentRow[]> => {
    // The lock keeps a concurrent deletion of the account from leaving rows behind.
    const rows = await db.transaction(async (tx) =>
      (await lockReflexOwner(tx, userId)) ? intents.openAll(tx, userId, newIntents) : [],
    )
    // The memories may have changed since the row was stored.
    const current = new Map(newIntents.map((intent) => [intent.source, intent]))
    return rows.map((row) => {
      const { text = row.text, data = row.data } = current.get(row.source) ?? {}
      return { ...row, text, data }
    })
  }

  return {
    /** The open proactive intents by weight, from the current memories. */
    async list(caller: Caller, { limit }: { limit: number }): Promise<ProactiveIntent[]> {
      if (!readableOwners(caller, 'person').personal) return []
      const now = new Date()
      const rows = [
        ...(await open(caller.userId, await proactiveIntents(sources, caller, now))),
        ...(await intents.list(caller.userId, {
          kinds: ['reminder'],
          about: 'reflex_id',
          at: now,
          limit: MAX_NOTIFICATIONS,
        })),
      ]
      const since = new Date(now.getTime() - FEEDBACK_MS)
      const feedback = await intents.feedbackSince(caller.userId, since)
      const feedbackOn = (kind: ProactiveKind) => feedback.get(kind) ?? 0
      const shown = rows
        .filter(isProactive)
        .filter(({ state, hiddenUntil }) => state === 'open' && !(hiddenUntil && hiddenUntil > now))
        .filter(({ kind }) => kind !== 'question' || feedbackOn(kind) > HIDE_QUESTIONS_AT)
        .map((intent) => present(intent, feedbackOn(intent.kind)))
        .toSorted(byWeight)
      const excess = shown.filter(({ kind }) => kind === 'question').slice(MAX_QUESTIONS)
      return shown.filter((intent) => !excess.includes(intent)).slice(0, limit)
    },

    /** The reminders that are not due yet, next first. */
    async listUpcoming(caller: Caller, { limit }: { limit: number }): Promise<UpcomingReminder[]> {
      return (await upcomingReminders(sources, caller, new Date())).slice(0, limit)
    },

    /** Repeating the same feedback changes nothing. @throws ApiError 404 unless the caller has the intent. */
    async setFeedback(
      { userId }: Caller,
      { intent_id, feedback }: ProactiveFeedback,
    ): Promise<Record<string, never>> {
      await db.transaction(async (tx) => {
        const { intentId, hiddenUntil } = await find(tx, userId, intent_id)
        const now = new Date()
        if (feedback === 'dismiss')
          await intents.decide(tx, userId, intentId, { state: 'dismissed', outcome: feedback })
        else if (feedback !== 'snooze') await intents.setFeedback(tx, userId, intentId, feedback)
        else if (!hiddenUntil || hiddenUntil <= now)
          await intents.update(tx, userId, intentId, {
            hiddenUntil: new Date(now.getTime() + SNOOZE_MS),
          })
      })
      return {}
    },
  }
}

const isProactive = (intent: IntentRow): intent is ProactiveRow => intent.kind in WEIGHTS

/** With equal weights, newest first. */
const byWeight = (one: ProactiveIntent, other: ProactiveIntent): number =>
  other.weight - one.weight ||
  Date.parse(other.due_at) - Date.parse(one.due_at) ||
  (one.intent_id < other.intent_id ? 1 : -1)

const present = (intent: ProactiveRow, kindFeedback: number): ProactiveIntent => {
  const { memory_ids, anchor_key, reflex_id } = intent.data
  const ofKind = Math.max(-MAX_KIND_FEEDBACK, Math.min(MAX_KIND_FEEDBACK, kindFeedback))
  return {
    intent_id: intent.intentId,
    kind: intent.kind,
    title: intent.title,
    text: intent.text,
    due_at: intent.dueAt.toISOString(),
    memory_ids: Array.isArray(memory_ids) ? memory_ids : [],
    anchor_key: anchor_key ?? null,
    reflex_id: reflex_id ?? null,
    weight: WEIGHTS[intent.kind] + ofKind + ownFeedback(intent.feedback),
    feedback: intent.feedback,
    state: 'open',
    created_at: intent.createdAt.toISOString(),
  }
}

const ownFeedback = (feedback: IntentRow['feedback']): number => {
  if (feedback === null) return 0
  return feedback === 'thumbs_up' ? INTENT_FEEDBACK : -INTENT_FEEDBACK
}

export const proactiveRoutes = (mount: Mount, proactive: ProactiveService): void => {
  mount(listProactiveIntents, ({ caller, query }) => proactive.list(caller, query))
  mount(listUpcomingReminders, ({ caller, query }) => proactive.listUpcoming(caller, query))
  mount(giveFeedback, ({ caller, body }) => proactive.setFeedback(caller, body))
}
