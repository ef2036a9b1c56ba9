import type { Action } from '../../../shared/schemas/reflexes.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { JobKind, JobName, Jobs } from '../../platform/jobs.ts'
import type { ActionHandler, ActionHandlers } from '../actions/action.ts'
import type { Doing } from '../channels/channel.ts'
import { opNamed } from '../conditions/ops.ts'
import type { IntentService } from '../intents/service.ts'
import { changeReflex, lockReflex } from '../reflexes/store.ts'
import type { ReflexRow } from '../reflexes/table.ts'
import { type HandlerKey, keyOf, wordsFor } from '../registry/handler.ts'
import { switchedOff } from '../registry/switches.ts'
import { appliesTo } from './events.ts'
import { FiringFailure } from './failure.ts'
import { FIRING_JOB, type FiringRef, OUTSIDE_JOB } from './jobs.ts'
import { holdPerson } from './person.ts'
import { changeFiring, findFiring, listWaiting, lockFiring } from './store.ts'
import type { FiringRow } from './table.ts'

/** Waiting ever longer, these tries take about half an hour. */
const MAX_ATTEMPTS = 10
/** Also of jobs whose server was killed, which count for nothing else. */
const JOB_RETRIES = 30
const CONCURRENCY = 4
/** Servers of people may be slow, and then keep nobody else waiting. */
const OUTSIDE_CONCURRENCY = 16
const PER_PERSON = 2
/** More than these are not asked about at a time. */
const MAX_WAITING = 50

/** The account is kept out: its firings rest. */
const HELD_BY_ACCOUNT = 'account'

/** The handlers that a reflex needs. */
export const handlersOf = ({
  trigger,
  conditions,
  action,
}: Pick<ReflexRow, 'trigger' | 'conditions' | 'action'>): HandlerKey[] => [
  keyOf('trigger_types', trigger.type),
  ...conditions.map(({ op }) => keyOf('condition_ops', opNamed(op).name)),
  keyOf('action_types', action.type),
  ...('channel' in action ? [keyOf('channel_types', action.channel)] : []),
]

/** Does what has fired: asks the person where they want to be asked, and acts. */
export const startRunner = async (
  { db }: Database,
  jobs: Jobs,
  intents: Pick<IntentService, 'open'>,
  actions: ActionHandlers,
): Promise<void> => {
  const handlerOf = (action: Action): ActionHandler => actions[action.type] as ActionHandler

  /** Everything is held in the same order: the person, the reflex, the firing. */
  const hold = async (tx: Db, { userId, firingId }: FiringRef): Promise<Doing | undefined> => {
    const person = await holdPerson(tx, userId)
    const found = person && (await findFiring(tx, userId, firingId))
    const reflex = found && (await lockReflex(tx, userId, found.reflexId))
    const firing = reflex && (await lockFiring(tx, userId, firingId))
    return person && reflex && firing?.state === 'pending' ? { person, reflex, firing } : undefined
  }

  const heldBy = async (tx: Db, { person, reflex }: Doing) => {
    if (person.isDisabled) return { heldBy: HELD_BY_ACCOUNT, error: 'The account is disabled' }
    const off = await switchedOff(tx)
    const found = handlersOf(reflex).find((key) => off.has(key))
    return found && { heldBy: found, error: `It waits: ${wordsFor(found)} is switched off for now` }
  }

  const ask = async (tx: Db, { person: { userId }, reflex, firing }: Doing): Promise<void> => {
    const waiting = await listWaiting(tx, userId, reflex.reflexId)
    if (waiting.length >= MAX_WAITING)
      return changeFiring(tx, firing, {
        state: 'limited',
        error: `${MAX_WAITING} others wait for your word`,
      })
    await intents.open(tx, userId, {
      kind: 'confirmation',
      source: `confirm:${firing.firingId}`,
      title: reflex.name,
      text: handlerOf(reflex.action).preview(reflex.action as never, firing.event),
      data: { reflex_id: reflex.reflexId, firing_id: firing.firingId },
    })
    await changeFiring(tx, firing, { state: 'waiting', heldBy: null, error: null })
  }

  const finish = async (tx: Db, { reflex, firing }: Doing): Promise<void> => {
    await changeFiring(tx, firing, { state: 'done', heldBy: null, error: null })
    await changeReflex(tx, reflex, { lastFiredAt: new Date() })
  }

  /** Does what can be done in a transaction. @returns what is left to be done outside of it. */
  const settle = (ref: FiringRef, isOutside: boolean): Promise<(() => Promise<void>) | undefined> =>
    db.transaction(async (tx) => {
      const doing = await hold(tx, ref)
      if (!doing) return undefined
      const { reflex, firing } = doing
      const held = await heldBy(tx, doing)
      if (held) return void (await changeFiring(tx, firing, held))
      const reason = firing.isConfirmed ? undefined : whyNot(reflex, firing)
      if (reason) return void (await changeFiring(tx, firing, { state: 'skipped', error: reason }))
      if (reflex.doesConfirm && !firing.isConfirmed) return void (await ask(tx, doing))
      const handler = handlerOf(reflex.action)
      const given = { ...doing, action: reflex.action as never }
      if ('beyond' in handler) {
        if (isOutside) return () => handler.beyond(given)
        return void (await jobs.send(OUTSIDE_JOB, ref, { tx }))
      }
      await handler.within(tx, given)
      await finish(tx, doing)
    })

  /** Unless it was done or changed meanwhile. */
  const end = (ref: FiringRef, settleIt: (tx: Db, doing: Doing) => Promise<void>): Promise<void> =>
    db.transaction(async (tx) => {
      const doing = await hold(tx, ref)
      if (doing) await settleIt(tx, doing)
    })

  const fail = async (tx: Db, { reflex, firing }: Doing, failed: Failed): Promise<void> => {
    const attempts = firing.attempts + 1
    const isOver = failed.isFinal || attempts >= MAX_ATTEMPTS
    const state = isOver ? 'failed' : 'pending'
    await changeFiring(tx, firing, { state, error: failed.message, attempts, heldBy: null })
    if (failed.disables)
      await changeReflex(tx, reflex, {
        isEnabled: false,
        disabledReason: failed.disables,
        nextAt: null,
      })
    failed.isFinal ||= isOver
  }

  const kind = (job: JobName<FiringRef>, concurrency: number): JobKind<FiringRef> => ({
    ...job,
    retries: JOB_RETRIES,
    concurrency,
    perGroup: PER_PERSON,
    async run(ref) {
      try {
        const rest = await settle(ref, job === OUTSIDE_JOB)
        if (!rest) return
        await rest()
        await end(ref, finish)
      } catch (error) {
        const failed = readFailure(error)
        await end(ref, (tx, doing) => fail(tx, doing, failed))
        if (!failed.isFinal) throw error
      }
    },
  })
  await jobs.work(kind(OUTSIDE_JOB, OUTSIDE_CONCURRENCY))
  await jobs.work(kind(FIRING_JOB, CONCURRENCY))
}

interface Failed {
  message: string
  isFinal: boolean
  disables?: string | undefined
}

/** What the person may read of a failure. */
const readFailure = (error: unknown): Failed => {
  if (error instanceof FiringFailure) return { message: error.message, ...error.outcome }
  if (error instanceof ApiError) return { message: textOf(error), isFinal: error.status < 500 }
  return { message: 'Something went wrong here', isFinal: false }
}

const textOf = ({ detail }: ApiError): string => {
  if (typeof detail === 'string') return detail
  const { message, error } = detail as { message?: string; error?: string }
  return message ?? error ?? 'It was refused'
}

/** Why a reflex does not act on what triggered it, by how it stands now. */
const whyNot = (reflex: ReflexRow, firing: FiringRow): string | undefined => {
  if (!reflex.isEnabled) return 'The reflex was switched off'
  if (reflex.skipsAlways) return 'You chose to skip it always'
  return appliesTo(reflex, firing.event) ? undefined : 'It does not apply any more'
}
