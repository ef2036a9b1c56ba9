import type { FieldError } from '../../../shared/errors.ts'
import type { ActionOf, ActionType, TriggerEvent } from '../../../shared/schemas/reflexes.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Doing } from '../channels/channel.ts'
import type { Handler } from '../registry/handler.ts'

export interface DoingOf<T extends ActionType> extends Doing {
  action: ActionOf<T>
}

/** One kind of thing that reflexes do. */
export type ActionHandler<T extends ActionType = ActionType> = Handler & {
  name: T
  /** What it would do, for the person to decide on. */
  preview(action: ActionOf<T>, event: TriggerEvent): string
  /** What is wrong with it, beyond its form. */
  problems?(action: ActionOf<T>): Promise<FieldError[]>
} & (
    | {
        /** Does it within the transaction that ends the firing, and so once. */
        within(tx: Db, doing: DoingOf<T>): Promise<void>
      }
    | {
        /** Does it outside of any transaction: it may be done again after a failure. */
        beyond(doing: DoingOf<T>): Promise<void>
      }
  )

export type ActionHandlers = { [T in ActionType]: ActionHandler<T> }
