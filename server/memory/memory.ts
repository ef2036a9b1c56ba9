import type { Db } from '../platform/db/database.ts'
import type { Models } from '../platform/models/types.ts'
import type { Surroundings } from '../surroundings.ts'
import { createConsolidation } from './consolidation/engine.ts'
import { createEngineControl } from './engines/control.ts'
import type { Engine } from './engines/engine.ts'
import { startEngines } from './engines/service.ts'
import { createExtraction } from './facts/engine.ts'
import { createFactService } from './facts/service.ts'
import { createLinking } from './graph/engine.ts'
import { startScoring } from './graph/scoring.ts'
import { createGraphService } from './graph/service.ts'
import { createIdentityService } from './identity/service.ts'
import { createIntrospectService } from './introspect/service.ts'
import { startPurge } from './memories/purge.ts'
import { createMemoryService } from './memories/service.ts'
import { createRecallService } from './recall/service.ts'
import { createTransferService } from './transfer/service.ts'
import { startVectors } from './vectors/service.ts'

export type Memory = Awaited<ReturnType<typeof startMemory>>

/** Starts what remembers and recalls, and the engines that look at memories after they were written. */
export const startMemory = async (
  { config, database, jobs, log, recallBudgetMs }: Surroundings,
  {
    models,
    timezonesOf,
    engines: others,
    recordSwitch,
  }: {
    models: Models
    /** Where people are, by their ids. */
    timezonesOf: Parameters<typeof createExtraction>[3]
    /** Those of other domains. */
    engines: Engine[]
    recordSwitch: Parameters<typeof createEngineControl>[2]
  },
) => {
  const vectors =
    config.embedding && (await startVectors(database, config.embedding, log, recallBudgetMs))
  const scoring = await startScoring(database, jobs)
  const engines = await startEngines(database, jobs, log, [
    createExtraction(database, models, log, timezonesOf),
    createConsolidation(database),
    createLinking(database, scoring),
    ...others,
    ...(vectors?.engine ? [vectors.engine] : []),
  ])
  vectors?.begin(engines.sweep)
  const memories = createMemoryService(database, engines)
  await startPurge(database, jobs)
  return {
    memories,
    engines,
    engineControl: createEngineControl(database, engines, recordSwitch),
    /** Undefined where no embedding model is configured. */
    vectors,
    facts: createFactService(database, memories),
    identity: createIdentityService(database, engines),
    recalls: createRecallService(database, vectors?.near),
    graphs: createGraphService(database, scoring),
    introspect: createIntrospectService(database, engines),
    transfers: createTransferService(database, memories),
    /** Erases all that an owner, a person or an organization, remembers. */
    async erase(tx: Db, ownerId: string): Promise<void> {
      await memories.erase(tx, ownerId)
      await engines.erase(tx, ownerId)
      await scoring.erase(tx, ownerId)
    },
  }
}
