import type { Action, ActionOf, ActionType } from '../../../../shared/contract/reflex-actions.ts'
import type { TriggerEvent } from '../../../../shared/contract/reflex-triggers.ts'
import type { FieldError } from '../../../../shared/errors.ts'
import type { TierName } from '../../../../shared/tiers.ts'
import { lockUserShared } from '../../../account/users/lock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { ApiError, commonError } from '../../../platform/http/error.ts'
import type { JobName, Jobs } from '../../../platform/jobs.ts'
import { type HandlerKey, keyOf, type RegistryHandler } from '../registry/handler.ts'
import type { FiringRow, ReflexRow } from './table.ts'

/** The source of memories written by reflexes, which trigger no reflexes. */
export const REFLEX_SOURCE = 'reflex'

/** The user's definition of a reflex. */
export type ReflexParts = Pick<ReflexRow, 'trigger' | 'conditions' | 'action'>

/** The handlers that a reflex needs. */
export const handlersOf = ({ trigger, conditions, action }: ReflexParts): HandlerKey[] => [
  keyOf('trigger_types', trigger.type),
  ...conditions.map(({ op }) => keyOf('condition_ops', op)),
  keyOf('action_types', action.type),
  ...('channel' in action ? [keyOf('channel_types', action.channel)] : []),
]

/** The owner of a reflex, as far as its firings need it. */
export interface ReflexOwner {
  userId: string
  email: string
  tier: TierName
  isVerified: boolean
  isDisabled: boolean
}

/**
 * Keeps a user from being deleted until the end of the transaction. Deleting an account locks the user
 * before the user's rows, so lock the user before several of their rows.
 * @returns undefined for a deleted user.
 */
export const lockReflexOwner = async (tx: Db, userId: string): Promise<ReflexOwner | undefined> => {
  const user = await lockUserShared(tx, userId)
  return (
    user && {
      userId,
      email: user.email,
      tier: user.tier,
      isVerified: user.emailVerified,
      isDisabled: user.disabledAt !== null,
    }
  )
}

/** Locks the user who creates a reflex or a device. @throws ApiError 401 for a deleted user. */
export const lockCreator = async (tx: Db, userId: string): Promise<void> => {
  if (!(await lockReflexOwner(tx, userId))) throw commonError('bad_credentials')
}

/** The locked rows of a firing that runs. */
export interface FiringContext {
  owner: ReflexOwner
  reflex: ReflexRow
  firing: FiringRow
}

interface FiringContextOf<T extends ActionType> extends FiringContext {
  action: ActionOf<T>
}

/** An action runs either within the transaction that completes the firing, or outside of any. */
export type ActionHandler<T extends ActionType = ActionType> = RegistryHandler & {
  name: T
  /** A description of the effect, for the owner to confirm. */
  preview(action: ActionOf<T>, event: TriggerEvent): string
  /** Problems that the schema does not find. */
  problemsOf?(action: ActionOf<T>): Promise<FieldError[]>
} & (
    | {
        /** Runs exactly once. */
        runWithin(tx: Db, context: FiringContextOf<T>): Promise<void>
      }
    | {
        /** May run again after a failure. */
        runOutside(context: FiringContextOf<T>): Promise<void>
      }
  )

export type ActionHandlers = { [T in ActionType]: ActionHandler<T> }

export const handlerOf = (actions: ActionHandlers, { type }: Action): ActionHandler => actions[type]

interface Notification {
  title: string
  text: string
}

/** A way to notify the owner of a reflex. */
export interface Channel extends RegistryHandler {
  /**
   * Sends within the transaction that completes the firing, and so exactly once.
   * @throws FiringFailure or ApiError if the owner cannot be notified.
   */
  send(tx: Db, context: FiringContext, notification: Notification): Promise<void>
}

/** The failure of an action; the owner reads the message. */
export class FiringFailure extends Error {
  override name = 'FiringFailure'
  constructor(
    message: string,
    readonly outcome: {
      /** Whether a retry cannot succeed. */
      isFinal: boolean
      /** Disables the reflex, with this reason. */
      disables?: string
    },
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

export interface FailureOutcome {
  message: string
  isFinal: boolean
  disables?: string | undefined
}

/** Keeps the message of an unexpected error from the owner. */
export const outcomeOf = (error: unknown): FailureOutcome => {
  if (error instanceof FiringFailure) return { message: error.message, ...error.outcome }
  if (error instanceof ApiError) return { message: messageOf(error), isFinal: error.status < 500 }
  return { message: 'Internal error', isFinal: false }
}

const messageOf = ({ detail }: ApiError): string => {
  if (typeof detail === 'string') return detail
  const { message, error } = detail as { message?: string; error?: string }
  return message ?? error ?? 'The action was rejected'
}

export interface FiringRef {
  userId: string
  firingId: string
}

/** A scheduled time of a reflex. */
export interface DueReflex {
  userId: string
  reflexId: string
  /** ISO 8601. A reflex that is due at another time by the time of the job does not fire. */
  dueAt: string
}

export const SCHEDULE_JOB: JobName<DueReflex> = {
  name: 'reflex-schedule',
  keyOf: ({ reflexId, dueAt }) => `${reflexId} ${dueAt}`,
}

export const FIRING_JOB: JobName<FiringRef> = {
  name: 'reflex-firing',
  keyOf: ({ firingId }) => firingId,
  groupOf: ({ userId }) => userId,
}

/** Runs actions that call another server, which may be slow. */
export const OUTSIDE_JOB: JobName<FiringRef> = { ...FIRING_JOB, name: 'reflex-outside' }

/** Removes the queued jobs of a user, within the transaction that deletes the account. */
export const eraseFirings =
  (jobs: Jobs) =>
  async (tx: Db, { id: userId }: { id: string }): Promise<void> => {
    await jobs.forget(FIRING_JOB, { userId }, tx)
    await jobs.forget(OUTSIDE_JOB, { userId }, tx)
    await jobs.forget(SCHEDULE_JOB, { userId }, tx)
  }
