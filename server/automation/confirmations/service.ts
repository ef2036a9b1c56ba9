import type {
  Confirmation,
  ConfirmationDecision,
  ConfirmationQuery,
} from '../../../shared/schemas/reflexes.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Jobs } from '../../platform/jobs.ts'
import { FIRING_JOB } from '../firings/jobs.ts'
import { holdPerson } from '../firings/person.ts'
import { changeWaiting, findFirings, listWaiting } from '../firings/store.ts'
import type { FiringRow } from '../firings/table.ts'
import type { IntentRow, IntentService } from '../intents/service.ts'
import { changeReflex, lockReflex } from '../reflexes/store.ts'

/** A confirmation that nobody gave for so long means nothing any more. */
export const EXPIRES_AFTER_MS = 7 * 24 * 60 * 60 * 1000

/** Why a firing was skipped, by what was decided. */
const SKIPPED: Readonly<Record<string, string>> = {
  skip_once: 'You chose to skip it',
  skip_always: 'You chose to skip it always',
  expired: 'Nobody decided in time',
  reflex_changed: 'The reflex was changed before you decided',
}

export type ConfirmationService = ReturnType<typeof createConfirmationService>

/** Has the person decide on what their reflexes would do. */
export const createConfirmationService = (
  { db }: Database,
  jobs: Jobs,
  intents: Pick<IntentService, 'find' | 'findBySource' | 'list' | 'decide' | 'whenDecided'>,
) => {
  // Whoever decides, and wherever: the firing goes on, or is skipped.
  intents.whenDecided('confirmation', async (tx, { userId, data, outcome }) => {
    const firingId = data.firing_id ?? ''
    if (outcome === 'fire') {
      const goesOn = { state: 'pending', isConfirmed: true } as const
      if (await changeWaiting(tx, userId, firingId, goesOn))
        await jobs.send(FIRING_JOB, { userId, firingId }, { tx })
    } else {
      const error = SKIPPED[outcome ?? ''] ?? 'You dismissed it'
      await changeWaiting(tx, userId, firingId, { state: 'skipped', error })
    }
  })

  /** Dismisses what a reflex asks; the reflex has to be held. */
  const dismissAll = async (tx: Db, userId: string, reflexId: string, outcome: string) => {
    for (const firingId of await listWaiting(tx, userId, reflexId)) {
      const intent = await intents.findBySource(userId, `confirm:${firingId}`, tx)
      if (intent) await intents.decide(tx, userId, intent.intentId, { state: 'dismissed', outcome })
    }
  }

  const found = async (userId: string, intentId: string): Promise<IntentRow> => {
    const intent = await intents.find(userId, intentId)
    if (intent?.kind !== 'confirmation') throw new ApiError(404, 'Confirmation not found')
    return intent
  }

  return {
    /** Open ones, newest first. @throws ApiError 404 when the one to go on from is not there. */
    async list({ userId }: Caller, { before, limit }: ConfirmationQuery): Promise<Confirmation[]> {
      const rows = await intents.list(userId, {
        kinds: ['confirmation'],
        before: before ? await found(userId, before) : undefined,
        limit,
      })
      const firingIds = rows.flatMap(({ data }) => data.firing_id ?? [])
      const firings = await findFirings(db, userId, firingIds)
      const byId = new Map(firings.map((firing) => [firing.firingId, firing]))
      return rows.flatMap((intent) => {
        const firing = byId.get(intent.data.firing_id ?? '')
        return firing ? [present(intent, firing)] : []
      })
    },

    /**
     * Of two decisions at once one wins; the same one again changes nothing.
     * @throws ApiError 404 for one that is not there or not the caller's, 409 when something else was
     * decided before.
     */
    async decide(
      { userId }: Caller,
      intentId: string,
      decision: ConfirmationDecision,
    ): Promise<void> {
      const intent = await found(userId, intentId)
      const reflexId = intent.data.reflex_id ?? ''
      const state = decision === 'fire' ? 'done' : 'dismissed'
      const isDecided = await db.transaction(async (tx) => {
        await holdPerson(tx, userId)
        const reflex = await lockReflex(tx, userId, reflexId)
        if (!(await intents.decide(tx, userId, intentId, { state, outcome: decision })))
          return false
        if (reflex && decision === 'skip_always') {
          await changeReflex(tx, reflex, { skipsAlways: true, nextAt: null })
          await dismissAll(tx, userId, reflexId, decision)
        }
        return true
      })
      if (isDecided) return
      const { outcome } = await found(userId, intentId)
      if (outcome !== decision) throw new ApiError(409, decided(outcome))
    },

    dismissAll,

    /** Closes one that nobody decided in time. */
    async expire(tx: Db, { userId, firingId }: Pick<FiringRow, 'userId' | 'firingId'>) {
      const intent = await intents.findBySource(userId, `confirm:${firingId}`, tx)
      const decision = { state: 'dismissed', outcome: 'expired' } as const
      if (intent) await intents.decide(tx, userId, intent.intentId, decision)
    },
  }
}

const decided = (outcome: string | null): string =>
  outcome && /^(fire|skip_once|skip_always)$/.test(outcome)
    ? `This was decided before: ${outcome}`
    : 'There is nothing to decide any more'

const present = (intent: IntentRow, firing: FiringRow): Confirmation => ({
  intent_id: intent.intentId,
  reflex_id: firing.reflexId,
  reflex_name: intent.title,
  firing_id: firing.firingId,
  text: intent.text,
  event: firing.event,
  created_at: intent.createdAt.toISOString(),
  expires_at: new Date(intent.createdAt.getTime() + EXPIRES_AFTER_MS).toISOString(),
})
