import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../firings/person.ts'
import type { FiringRow } from '../firings/table.ts'
import type { ReflexRow } from '../reflexes/table.ts'
import type { Handler } from '../registry/handler.ts'

/** A firing that is being done. */
export interface Doing {
  person: Person
  reflex: ReflexRow
  firing: FiringRow
}

/** What a person is told. */
export interface Notice {
  title: string
  text: string
}

/** A way to reach the person. */
export interface Channel extends Handler {
  /**
   * Tells them within the transaction that ends the firing, and so once.
   * @throws FiringFailure or ApiError when they cannot be told.
   */
  tell(tx: Db, doing: Doing, notice: Notice): Promise<void>
}
