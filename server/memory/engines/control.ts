import type { CognitiveEngine, SwitchEngine } from '../../../shared/contract/engines.ts'
import { listEngines, switchEngine } from '../../../shared/contract/index.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { RequestClient } from '../../platform/http/context.ts'
import { defineErrors } from '../../platform/http/error.ts'
import type { Mount } from '../../platform/http/route.ts'
import { createSwitch, type RecordSwitch } from '../../platform/switches.ts'
import type { Engines } from './service.ts'
import { countPendingTasks, listBacklogs, listEngineStates, saveEngineState } from './store.ts'

export const engineError = defineErrors({
  engine_not_found: { status: 404, detail: 'Engine not found' },
})

export type EngineControl = ReturnType<typeof createEngineControl>

/** The admin endpoints of engines. */
export const createEngineControl = (
  database: Database,
  engines: Engines,
  recordSwitch: RecordSwitch<'engine.switched'>,
) => {
  const switchEngine = createSwitch(database, 'engine.switched', recordSwitch, engines.sweep)

  return {
    /** The pending tasks of each engine that has some, and the age of the oldest in seconds. */
    backlogs: () => listBacklogs(database.query),

    async list(): Promise<CognitiveEngine[]> {
      const states = await listEngineStates(database.db)
      const pending = await countPendingTasks(database.db)
      return engines.all.map(({ name, about }) => {
        const state = states.find(({ engine }) => engine === name)
        return {
          engine: name,
          about,
          enabled: state?.isEnabled ?? true,
          reason: state?.reason ?? null,
          changed_at: state?.changedAt.toISOString() ?? null,
          pending: pending.get(name) ?? 0,
        }
      })
    },

    /**
     * A disabled engine finishes its current batch; later tasks wait. An enabled one starts at once.
     * @throws ApiError 404 for an unknown engine.
     */
    async switch(
      caller: Caller,
      engine: string,
      body: SwitchEngine,
      client: RequestClient,
    ): Promise<void> {
      if (!engines.names.includes(engine)) throw engineError('engine_not_found')
      await switchEngine({ caller, client, subject: engine }, body, (tx, state) =>
        saveEngineState(tx, { engine, ...state }),
      )
    },
  }
}

export const engineRoutes = (mount: Mount, control: EngineControl): void => {
  mount(listEngines, async () => ({ engines: await control.list() }))
  mount(switchEngine, async ({ caller, params, body, client }) => {
    await control.switch(caller, params.engine, body, client)
    return null
  })
}
