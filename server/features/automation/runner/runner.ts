import type { RecordActivity } from '../../../account/activity/service.ts'
import { afterCommit } from '../../../platform/db/connections.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { JobKind, JobName, Jobs } from '../../../platform/jobs.ts'
import { appliesTo } from '../events/events.ts'
import {
  type ActionHandlers,
  type FailureOutcome,
  FIRING_JOB,
  type FiringContext,
  type FiringRef,
  handlerOf,
  handlersOf,
  lockReflexOwner,
  OUTSIDE_JOB,
  outcomeOf,
} from '../firings/firing.ts'
import { lockReflex, updateReflexRow } from '../firings/reflex-store.ts'
import { findFiring, listUnconfirmed, lockFiring, updateFiring } from '../firings/store.ts'
import type { FiringRow, ReflexRow } from '../firings/table.ts'
import type { IntentService } from '../intents/service.ts'
import { describeHandler, disabledHandlers } from '../registry/handler.ts'

/** About half an hour with the backoff of jobs. */
const MAX_ATTEMPTS = 10
/** Includes runs of killed servers, which do not count as attempts. */
const JOB_RETRIES = 30
const CONCURRENCY = 4
/** Actions that wait for another server do not block each other. */
const OUTSIDE_CONCURRENCY = 16
const CONCURRENCY_PER_USER = 2
/** Open confirmations of a reflex. */
const MAX_UNCONFIRMED = 50
/** `blockedBy` of a firing that waits for its owner's account to be enabled. */
const ACCOUNT = 'account'

/** Runs queued firings: asks the owner for confirmation if the reflex wants it, then runs the action. */
export const startRunner = (
  { db }: Database,
  jobs: Jobs,
  intents: Pick<IntentService, 'open'>,
  { actions, record }: { actions: ActionHandlers; record: RecordActivity },
): void => {
  const recordAfter = (
    tx: Db,
    kind: 'reflex.fired' | 'reflex.failed' | 'confirmation.waiting',
    { owner: { userId }, reflex: { name: subject } }: FiringContext,
  ): void => {
    const actor = { ownerId: userId, userId, keyId: null }
    afterCommit(tx, () => record(actor, { kind, subject }))
  }

  const complete = async (tx: Db, context: FiringContext): Promise<void> => {
    await updateFiring(tx, context.firing, { state: 'done', blockedBy: null, error: null })
    await updateReflexRow(tx, context.reflex, { lastFiredAt: new Date() })
    recordAfter(tx, 'reflex.fired', context)
  }

  const requestConfirmation = async (tx: Db, context: FiringContext): Promise<void> => {
    const { owner, reflex, firing } = context
    const { userId } = owner
    const unconfirmed = await listUnconfirmed(tx, userId, reflex.reflexId)
    if (unconfirmed.length >= MAX_UNCONFIRMED)
      return updateFiring(tx, firing, {
        state: 'limited',
        error: `${MAX_UNCONFIRMED} other firings wait for your confirmation`,
      })
    await intents.open(tx, userId, {
      kind: 'confirmation',
      source: `confirm:${firing.firingId}`,
      title: reflex.name,
      text: handlerOf(actions, reflex.action).preview(reflex.action, firing.event),
      data: { reflex_id: reflex.reflexId, firing_id: firing.firingId },
    })
    await updateFiring(tx, firing, { state: 'waiting', blockedBy: null, error: null })
    recordAfter(tx, 'confirmation.waiting', context)
  }

  /** Runs a firing as far as one transaction can. @returns the rest, to run outside of it. */
  const run = (ref: FiringRef, isOutside: boolean): Promise<(() => Promise<void>) | undefined> =>
    db.transaction(async (tx) => {
      const context = await lockPendingFiring(tx, ref)
      if (!context) return undefined
      const { reflex, firing } = context
      const blocked = await blockedBy(tx, context)
      if (blocked) return void (await updateFiring(tx, firing, blocked))
      const error = firing.isConfirmed ? undefined : skipReason(reflex, firing)
      if (error) return void (await updateFiring(tx, firing, { state: 'skipped', error }))
      if (reflex.doesConfirm && !firing.isConfirmed)
        return void (await requestConfirmation(tx, context))
      const handler = handlerOf(actions, reflex.action)
      const actionContext = { ...context, action: reflex.action }
      if ('runOutside' in handler) {
        if (isOutside) return () => handler.runOutside(actionContext)
        return void (await jobs.send(OUTSIDE_JOB, ref, { tx }))
      }
      await handler.runWithin(tx, actionContext)
      await complete(tx, context)
    })

  const settle = (
    ref: FiringRef,
    change: (tx: Db, context: FiringContext) => Promise<void>,
  ): Promise<void> =>
    db.transaction(async (tx) => {
      const context = await lockPendingFiring(tx, ref)
      if (context) await change(tx, context)
    })

  const kind = (job: JobName<FiringRef>, concurrency: number): JobKind<FiringRef> => ({
    ...job,
    retries: JOB_RETRIES,
    concurrency,
    perGroup: CONCURRENCY_PER_USER,
    async run(ref) {
      try {
        const runOutside = await run(ref, job === OUTSIDE_JOB)
        if (!runOutside) return
        await runOutside()
        await settle(ref, complete)
      } catch (error) {
        const outcome = outcomeOf(error)
        await settle(ref, async (tx, context) => {
          await fail(tx, context, outcome)
          if (outcome.isFinal) recordAfter(tx, 'reflex.failed', context)
        })
        if (!outcome.isFinal) throw error
      }
    },
  })
  jobs.work(kind(OUTSIDE_JOB, OUTSIDE_CONCURRENCY))
  jobs.work(kind(FIRING_JOB, CONCURRENCY))
}

/** Counts an attempt; the last one makes the failure final. */
const fail = async (
  tx: Db,
  { reflex, firing }: FiringContext,
  outcome: FailureOutcome,
): Promise<void> => {
  const attempts = firing.attempts + 1
  outcome.isFinal ||= attempts >= MAX_ATTEMPTS
  const state = outcome.isFinal ? 'failed' : 'pending'
  await updateFiring(tx, firing, { state, error: outcome.message, attempts, blockedBy: null })
  if (outcome.disables)
    await updateReflexRow(tx, reflex, {
      isEnabled: false,
      disabledReason: outcome.disables,
      nextAt: null,
    })
}

/** Locks the owner, the reflex and the firing, in this order. @returns undefined unless it is pending. */
const lockPendingFiring = async (
  tx: Db,
  { userId, firingId }: FiringRef,
): Promise<FiringContext | undefined> => {
  const owner = await lockReflexOwner(tx, userId)
  const found = owner && (await findFiring(tx, userId, firingId))
  const reflex = found && (await lockReflex(tx, userId, found.reflexId))
  const firing = reflex && (await lockFiring(tx, userId, firingId))
  return owner && reflex && firing?.state === 'pending' ? { owner, reflex, firing } : undefined
}

/** @returns the columns of a firing that cannot run for now; undefined for one that can. */
const blockedBy = async (tx: Db, { owner, reflex }: FiringContext) => {
  if (owner.isDisabled) return { blockedBy: ACCOUNT, error: 'The account is disabled' }
  const disabled = await disabledHandlers(tx)
  const found = handlersOf(reflex).find((key) => disabled.has(key))
  return (
    found && {
      blockedBy: found,
      error: `Waiting: ${describeHandler(found)} is switched off by an admin`,
    }
  )
}

/** @returns why an unconfirmed firing is skipped; undefined if it is not. */
const skipReason = (reflex: ReflexRow, firing: FiringRow): string | undefined => {
  if (!reflex.isEnabled) return 'The reflex was disabled'
  if (reflex.skipsAlways) return 'You chose to always skip it'
  return appliesTo(reflex, firing.event) ? undefined : 'The event no longer matches the reflex'
}
