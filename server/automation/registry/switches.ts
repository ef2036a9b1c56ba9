import type { Db } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/error.ts'
import { type HandlerKey, keyOf, wordsFor } from './handler.ts'
import { listSwitchedOff } from './store.ts'

/** The handlers that admins switched off. */
export const switchedOff = async (db: Db): Promise<ReadonlySet<HandlerKey>> =>
  new Set(
    (await listSwitchedOff(db)).map(({ registryType, name }) =>
      keyOf(registryType as Parameters<typeof keyOf>[0], name),
    ),
  )

/** @throws ApiError 409 when one of the handlers is switched off. */
export const checkSwitchedOn = async (db: Db, keys: readonly HandlerKey[]): Promise<void> => {
  const off = await switchedOff(db)
  const found = keys.find((key) => off.has(key))
  if (!found) return
  const words = wordsFor(found)
  throw new ApiError(409, `${words.replace(/^t/, 'T')} is switched off for now`)
}
