import type { CognitiveEngine, SwitchEngine } from '../../../shared/schemas/engines.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Client } from '../../platform/http/route.ts'
import type { Engines } from './service.ts'
import { countWaiting, listStates, putState } from './store.ts'

/** Notes what an admin did to an engine. */
export type RecordSwitch = (
  tx: Db,
  entry: {
    userId: string
    action: 'engine.switched'
    subject: string
    ip: string
    details: { enabled: boolean; reason: string }
  },
) => Promise<void>

export type EngineControl = ReturnType<typeof createEngineControl>

/** Lets admins see the engines and switch them. */
export const createEngineControl = (
  database: Database,
  engines: Engines,
  recordSwitch: RecordSwitch,
) => ({
  async list(): Promise<CognitiveEngine[]> {
    const states = await listStates(database.db)
    const waiting = await countWaiting(database.db)
    return engines.all.map(({ name, about }) => {
      const state = states.find(({ engine }) => engine === name)
      return {
        engine: name,
        about,
        enabled: state?.isEnabled ?? true,
        reason: state?.reason ?? null,
        changed_at: state?.changedAt.toISOString() ?? null,
        pending: waiting.get(name) ?? 0,
      }
    })
  },

  /**
   * Switched off, an engine finishes the batch it is at; what is written from then on waits for it.
   * Switched on, it begins with what waits at once.
   * @throws ApiError 404 for an engine that there is not.
   */
  async switch(
    caller: Caller,
    engine: string,
    { enabled, reason }: SwitchEngine,
    client: Client,
  ): Promise<void> {
    if (!engines.names.includes(engine)) throw new ApiError(404, 'Engine not found')
    await database.db.transaction(async (tx) => {
      await putState(tx, { engine, isEnabled: enabled, reason, changedBy: caller.userId })
      await recordSwitch(tx, {
        userId: caller.userId,
        action: 'engine.switched',
        subject: engine,
        ip: client.ip,
        details: { enabled, reason },
      })
    })
    if (enabled) await engines.sweep()
  },
})
