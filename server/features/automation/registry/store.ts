import { eq } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { type HandlerStateRow, handlerStates } from './table.ts'

export const listDisabledHandlers = (db: Db): Promise<HandlerStateRow[]> =>
  db.select().from(handlerStates).where(eq(handlerStates.isEnabled, false))

export const upsertHandlerState = async (db: Db, state: HandlerStateRow): Promise<void> => {
  await db
    .insert(handlerStates)
    .values(state)
    .onConflictDoUpdate({ target: [handlerStates.registryType, handlerStates.name], set: state })
}
