import type { Db } from '../../platform/db/database.ts'
import { automationError } from '../errors.ts'
import { describeHandler, type HandlerKey, keyOf } from './handler.ts'
import { listDisabledHandlers } from './store.ts'

/** The handlers that admins have switched off. */
export const disabledHandlers = async (db: Db): Promise<ReadonlySet<HandlerKey>> =>
  new Set(
    (await listDisabledHandlers(db)).map(({ registryType, name }) =>
      keyOf(registryType as Parameters<typeof keyOf>[0], name),
    ),
  )

/** @throws ApiError 409 if an admin has switched off one of the handlers. */
export const checkHandlersEnabled = async (db: Db, keys: readonly HandlerKey[]): Promise<void> => {
  const disabled = await disabledHandlers(db)
  const found = keys.find((key) => disabled.has(key))
  if (found) throw automationError('handler_disabled', describeHandler(found))
}
