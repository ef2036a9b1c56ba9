import type { ActionOf, ActionType } from '../../../shared/contract/reflex-actions.ts'
import type { TriggerEvent } from '../../../shared/contract/reflex-triggers.ts'
import type { FieldError } from '../../../shared/errors.ts'
import type { Db } from '../../platform/db/database.ts'
import type { FiringContext } from '../channels/channel.ts'
import type { RegistryHandler } from '../registry/handler.ts'

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
