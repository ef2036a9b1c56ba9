import { eq } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { type HandlerStateRow, handlerStates } from './table.ts'

export const listSwitchedOff = (db: Db): Promise<HandlerStateRow[]> =>
  db.select().from(handlerStates).where(eq(handlerStates.isEnabled, false))

export const putHandlerState = async (
  db: Db,
  state: Omit<HandlerStateRow, 'changedAt'>,
): Promise<void> => {
  const change = { ...state, changedAt: new Date() }
  await db
    .insert(handlerStates)
    .values(change)
    .onConflictDoUpdate({ target: [handlerStates.registryType, handlerStates.name], set: change })
}
