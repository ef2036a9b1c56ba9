import type {
  Confirmation,
  ConfirmationDecision,
  ConfirmationQuery,
} from '../../../../shared/contract/confirmations.ts'
import { decideConfirmation, listConfirmations } from '../../../../shared/contract/index.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { defineErrors } from '../../../platform/http/error.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { Jobs } from '../../../platform/jobs.ts'
import { FIRING_JOB, type FiringRef, lockReflexOwner } from '../firings/firing.ts'
import { lockReflex, updateReflexRow } from '../firings/reflex-store.ts'
import { findFirings, listUnconfirmed, updateUnconfirmed } from '../firings/store.ts'
import type { FiringRow } from '../firings/table.ts'
import type { IntentRow, IntentService } from '../intents/service.ts'

const confirmationError = defineErrors({
  confirmation_not_found: { status: 404, detail: 'Confirmation not found' },
  confirmation_already_decided: (decision: string) => ({
    status: 409,
    detail: `The confirmation was already decided: ${decision}`,
  }),
  confirmation_closed: { status: 409, detail: 'The confirmation is no longer open' },
})

export const EXPIRES_AFTER_MS = 7 * 24 * 60 * 60 * 1000

const DECISIONS = new Set<string | null>(['fire', 'skip_once', 'skip_always'])

/** The message of a skipped firing, by the outcome of its confirmation. */
const SKIP_REASONS: Readonly<Record<string, string>> = {
  skip_once: 'You chose to skip it',
  skip_always: 'You chose to always skip it',
  expired: 'The confirmation expired',
  reflex_changed: 'The reflex was changed before you decided',
}

export type ConfirmationService = ReturnType<typeof createConfirmationService>

/** Intents in which the owner of a reflex decides on a firing. */
export const createConfirmationService = (
  { db }: Database,
  jobs: Jobs,
  intents: Pick<IntentService, 'find' | 'findBySource' | 'list' | 'decide' | 'onDecided'>,
) => {
  intents.onDecided('confirmation', async (tx, { userId, data, outcome }) => {
    const firingId = data.firing_id ?? ''
    if (outcome === 'fire') {
      const confirmed = { state: 'pending', isConfirmed: true } as const
      if (await updateUnconfirmed(tx, userId, firingId, confirmed))
        await jobs.send(FIRING_JOB, { userId, firingId }, { tx })
    } else {
      const error = SKIP_REASONS[outcome ?? ''] ?? 'You dismissed it'
      await updateUnconfirmed(tx, userId, firingId, { state: 'skipped', error })
    }
  })

  const dismiss = async (tx: Db, userId: string, firingId: string, outcome: string) => {
    const intent = await intents.findBySource(userId, `confirm:${firingId}`, tx)
    if (intent) await intents.decide(tx, userId, intent.intentId, { state: 'dismissed', outcome })
  }

  /** Dismisses the open confirmations of a reflex. Lock the reflex before. */
  const dismissAll = async (
    tx: Db,
    userId: string,
    reflexId: string,
    outcome: string,
  ): Promise<void> => {
    for (const firingId of await listUnconfirmed(tx, userId, reflexId))
      await dismiss(tx, userId, firingId, outcome)
  }

  const find = async (userId: string, intentId: string): Promise<IntentRow> => {
    const intent = await intents.find(userId, intentId)
    if (intent?.kind !== 'confirmation') throw confirmationError('confirmation_not_found')
    return intent
  }

  return {
    /** Open confirmations, newest first. @throws ApiError 404 if `before` does not exist. */
    async list({ userId }: Caller, { before, limit }: ConfirmationQuery): Promise<Confirmation[]> {
      const rows = await intents.list(userId, {
        kinds: ['confirmation'],
        before: before ? await find(userId, before) : undefined,
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
     * One of several concurrent decisions wins; repeating it changes nothing.
     * @throws ApiError 404 unless the caller has the confirmation, 409 after another decision.
     */
    async decide(
      { userId }: Caller,
      intentId: string,
      decision: ConfirmationDecision,
    ): Promise<void> {
      const intent = await find(userId, intentId)
      const reflexId = intent.data.reflex_id ?? ''
      const state = decision === 'fire' ? 'done' : 'dismissed'
      const isDecided = await db.transaction(async (tx) => {
        await lockReflexOwner(tx, userId)
        const reflex = await lockReflex(tx, userId, reflexId)
        if (!(await intents.decide(tx, userId, intentId, { state, outcome: decision })))
          return false
        if (reflex && decision === 'skip_always') {
          await updateReflexRow(tx, reflex, { skipsAlways: true, nextAt: null })
          await dismissAll(tx, userId, reflexId, decision)
        }
        return true
      })
      if (isDecided) return
      const { outcome } = await find(userId, intentId)
      if (outcome !== decision) throw alreadyDecided(outcome)
    },

    dismissAll,

    expire: (tx: Db, { userId, firingId }: FiringRef): Promise<void> =>
      dismiss(tx, userId, firingId, 'expired'),
  }
}

const alreadyDecided = (outcome: string | null) =>
  outcome !== null && DECISIONS.has(outcome)
    ? confirmationError('confirmation_already_decided', outcome)
    : confirmationError('confirmation_closed')

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

export const confirmationRoutes = (mount: Mount, confirmations: ConfirmationService): void => {
  mount(listConfirmations, ({ caller, query }) => confirmations.list(caller, query))
  mount(decideConfirmation, async ({ caller, params, body }) => {
    await confirmations.decide(caller, params.intent_id, body.decision)
    return {}
  })
}
