import { isUuid } from '../../../shared/schemas/common.ts'
import type {
  ProactiveFeedback,
  ProactiveIntent,
  ProactiveKind,
} from '../../../shared/schemas/proactive.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import { holdPerson } from '../firings/person.ts'
import type { IntentRow, IntentService, Opening } from '../intents/service.ts'
import { openingsFor, type Sources } from './sources.ts'

/** So many of the latest that reflexes told are looked at. */
const MAX_TOLD = 100

const DAY_MS = 24 * 60 * 60 * 1000
const SNOOZE_MS = DAY_MS
/** What somebody thought of things longer ago counts no more. */
const FEEDBACK_MS = 90 * DAY_MS

/** What is asked for comes before what svc asks. */
const WEIGHTS: Record<ProactiveKind, number> = { reminder: 3, conflict: 2, question: 1 }
/** Feedback moves a kind so far, and the thing itself a little among its kind. */
const MAX_LIKING = 3
const OWN_FEEDBACK = 0.5
/** More questions at a time are a burden. */
const MAX_QUESTIONS = 3
/** Disliked so often more than liked, questions are not asked any more. */
const UNWELCOME = -2

type Shown = IntentRow & { kind: ProactiveKind }

export type ProactiveService = ReturnType<typeof createProactiveService>

/** What svc brings up by itself, and what people think of that. */
export const createProactiveService = (
  { db }: Database,
  intents: IntentService,
  sources: Sources,
) => {
  /** Theirs, of a kind that is brought up. @throws ApiError 404. */
  const find = async (tx: Db, userId: string, intentId: string): Promise<IntentRow> => {
    const intent = isUuid(intentId) ? await intents.find(userId, intentId, tx) : undefined
    if (!intent || !isProactive(intent)) throw new ApiError(404, 'Intent not found')
    return intent
  }

  /** Nothing is opened any more for somebody whose account is being deleted. */
  const open = async (userId: string, openings: Opening[]): Promise<IntentRow[]> => {
    const rows = await db.transaction(async (tx) =>
      (await holdPerson(tx, userId)) ? intents.openAll(tx, userId, openings) : [],
    )
    // The memories that it comes from may be others by now.
    const known = new Map(openings.map((opening) => [opening.source, opening]))
    return rows.map((row) => {
      const { text = row.text, data = row.data } = known.get(row.source) ?? {}
      return { ...row, text, data }
    })
  }

  return {
    /** What there is to bring up now, the most pressing first. It is as the memories are now. */
    async list(caller: Caller, { limit }: { limit: number }): Promise<ProactiveIntent[]> {
      const now = new Date()
      const openings = await openingsFor(sources, caller, now)
      const rows = [
        ...(await open(caller.userId, openings)),
        ...(await intents.list(caller.userId, {
          kinds: ['reminder'],
          about: 'reflex_id',
          at: now,
          limit: MAX_TOLD,
        })),
      ]
      const since = new Date(now.getTime() - FEEDBACK_MS)
      const liking = await intents.tally(caller.userId, since)
      const welcome = (kind: ProactiveKind) =>
        kind !== 'question' || (liking.get(kind) ?? 0) > UNWELCOME
      const shown = rows
        .filter(isProactive)
        .filter(({ state, hiddenUntil }) => state === 'open' && !(hiddenUntil && hiddenUntil > now))
        .filter(({ kind }) => welcome(kind))
        .map((intent) => present(intent, liking.get(intent.kind) ?? 0))
        .toSorted(byWeight)
      const questions = shown.filter(({ kind }) => kind === 'question').slice(MAX_QUESTIONS)
      return shown.filter((intent) => !questions.includes(intent)).slice(0, limit)
    },

    /**
     * Takes note of what somebody thinks of one; the same again changes nothing.
     * @throws ApiError 404 for one that is not there or not the caller's.
     */
    async give(
      { userId }: Caller,
      { intent_id, feedback }: ProactiveFeedback,
    ): Promise<Record<string, never>> {
      await db.transaction(async (tx) => {
        const { intentId, hiddenUntil } = await find(tx, userId, intent_id)
        const now = new Date()
        if (feedback === 'dismiss')
          await intents.decide(tx, userId, intentId, { state: 'dismissed', outcome: feedback })
        else if (feedback !== 'snooze') await intents.rate(tx, userId, intentId, feedback)
        else if (!hiddenUntil || hiddenUntil <= now)
          await intents.change(tx, userId, intentId, {
            hiddenUntil: new Date(now.getTime() + SNOOZE_MS),
          })
      })
      return {}
    },
  }
}

const isProactive = (intent: IntentRow): intent is Shown => intent.kind in WEIGHTS

/** Of the same weight the newest comes first. */
const byWeight = (one: ProactiveIntent, other: ProactiveIntent): number =>
  other.weight - one.weight ||
  Date.parse(other.due_at) - Date.parse(one.due_at) ||
  (one.intent_id < other.intent_id ? 1 : -1)

const present = (intent: Shown, liking: number): ProactiveIntent => {
  const { memory_ids, anchor_key, reflex_id } = intent.data
  const own = intent.feedback ? (intent.feedback === 'thumbs_up' ? OWN_FEEDBACK : -OWN_FEEDBACK) : 0
  const moved = Math.max(-MAX_LIKING, Math.min(MAX_LIKING, liking))
  return {
    intent_id: intent.intentId,
    kind: intent.kind,
    title: intent.title,
    text: intent.text,
    due_at: intent.dueAt.toISOString(),
    memory_ids: Array.isArray(memory_ids) ? memory_ids : [],
    anchor_key: anchor_key ?? null,
    reflex_id: reflex_id ?? null,
    weight: WEIGHTS[intent.kind] + moved + own,
    feedback: intent.feedback,
    state: 'open',
    created_at: intent.createdAt.toISOString(),
  }
}
