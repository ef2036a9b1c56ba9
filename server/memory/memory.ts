import type { RecordActivity } from '../account/activity/service.ts'
import type { DeletedUser } from '../account/users/deletion.ts'
import type { Core } from '../feature.ts'
import { createBackfills } from '../platform/backfills/service.ts'
import { afterCommit } from '../platform/db/connections.ts'
import type { Db } from '../platform/db/database.ts'
import { createPace } from '../platform/request-rate.ts'
import type { RecordSwitch } from '../platform/switches.ts'
import { createCaptureService } from './capture/service.ts'
import { distrustMemories } from './distrust-store.ts'
import { createConsolidation } from './engines/consolidation.ts'
import { createEngineControl } from './engines/control.ts'
import { createVectorService } from './engines/embedding/service.ts'
import { startEngines } from './engines/service.ts'
import { eraseOwner } from './erase.ts'
import { createExtraction, EXTRACTION, type WritersOf } from './facts/engine.ts'
import { factReader } from './facts/questions.ts'
import { createFactService } from './facts/service.ts'
import { createFeedbackService } from './feedback/service.ts'
import { createLinking } from './graph/engine.ts'
import { startScoring } from './graph/scoring.ts'
import { createGraphService } from './graph/service.ts'
import { createFactEvents } from './identity/fact-events.ts'
import { createIdentityService } from './identity/service.ts'
import { createIntrospectService } from './introspect/service.ts'
import { listOrgsWrittenFor, replaceAuthor } from './memories/author-store.ts'
import { completionBackfill, labelBackfill } from './memories/backfills.ts'
import { createRedaction } from './memories/redaction.ts'
import { createMemoryService } from './memories/service.ts'
import { createProjectService } from './projects/service.ts'
import { createIndexSearch } from './recall/index-search.ts'
import { createOwnerIndexes } from './recall/owner-indexes.ts'
import { createRecallService } from './recall/service.ts'
import { createImportReader } from './transfer/import-reader.ts'
import { createTransferService } from './transfer/service.ts'
import { createExportKeys } from './transfer/signatures.ts'

/** The minimal share of processor time for engines while requests arrive. */
const ENGINE_SHARE = 0.2
/** The same for an import, whose caller waits. */
const IMPORT_SHARE = 1 / 10

export type MemoryServices = ReturnType<typeof startMemory>

/** The services of the account that memory calls. */
interface MemoryDependencies {
  record: RecordActivity
  writersOf: WritersOf
  recordSwitch: RecordSwitch<'engine.switched'>
}

/** The vectors, the indexes of owners, and the engines that process written memories. */
const startBackground = (
  {
    config,
    duties,
    database,
    jobs,
    log,
    requestRate,
    metrics,
    pauses,
    recallBudgetMs,
    encode,
    models,
    engines: otherEngines,
  }: Core,
  { record, writersOf }: Pick<MemoryDependencies, 'record' | 'writersOf'>,
) => {
  const background = { ...database, ...database.background }
  const backfills = createBackfills(background, log, [labelBackfill, completionBackfill])
  const vectors = createVectorService(database, {
    settings: config.embedding,
    log,
    recallBudgetMs,
    encode,
  })
  const indexes = createOwnerIndexes(database, vectors.model, {
    maxBytes: config.indexBytes,
    onLoad: () => metrics?.countIndexLoad(),
    onError: (error) => log.warn({ error }, 'the memories of an owner could not be indexed'),
  })
  metrics?.reportIndexes(indexes.report)
  const pace = createPace(requestRate, ENGINE_SHARE)
  const work = {
    database: background,
    jobs,
    log,
    pace,
    pauses,
    isRunner: duties.runsBackgroundWork,
  }
  const scoring = startScoring(work)
  const engines = startEngines(work, [
    createExtraction(background, models, log, {
      writersOf,
      onFound: createFactEvents(background.query, { record, writersOf }),
    }),
    createConsolidation(background, indexes),
    createLinking(background, scoring, indexes),
    ...otherEngines,
    ...(vectors.engine ? [vectors.engine] : []),
  ])
  vectors.start(duties.runsBackgroundWork ? engines.sweep : undefined)
  return { backfills, vectors, indexes, scoring, engines }
}

/** Starts the services of memory, and the engines that process written memories. */
export const startMemory = (core: Core, dependencies: MemoryDependencies) => {
  const { config, database, requestRate, metrics, authSecrets } = core
  const { record, recordSwitch } = dependencies
  const { backfills, vectors, indexes, scoring, engines } = startBackground(core, dependencies)
  const redaction = createRedaction(() => config.redact)
  const memories = createMemoryService(database, { engines, redaction, record, metrics })
  return {
    memories,
    projects: createProjectService(database, record),
    captures: createCaptureService(database, { memories, redaction, record }),
    backfills,
    engines,
    engineControl: createEngineControl(database, engines, recordSwitch),
    vectors,
    facts: createFactService(database, memories),
    feedback: createFeedbackService(database, memories, redaction),
    identity: createIdentityService(database, engines),
    recalls: createRecallService(database, {
      embedQuestion: vectors.embedQuestion,
      searchIndex: createIndexSearch(database.reads.query, indexes),
      facts: factReader,
      metrics,
      record,
    }),
    graphs: createGraphService(database, scoring, memories, indexes),
    introspect: createIntrospectService(database, engines),
    transfers: createTransferService({
      database,
      memories,
      record,
      reader: createImportReader(),
      keys: createExportKeys(authSecrets, config.trustedExportKeys),
      pace: createPace(requestRate, IMPORT_SHARE),
      requestRate,
    }),
    erase: eraseOwner,
    /** Marks the memories of an owner as text from outside, and derives again from them what such text may give. */
    async distrust(tx: Db, ownerId: string): Promise<void> {
      await distrustMemories(database.queryIn(tx), ownerId, [EXTRACTION])
      afterCommit(tx, () => engines.schedule(ownerId))
    },
    /** The organizations that a user wrote memories for. */
    orgsWrittenFor: (tx: Db, userId: string) => listOrgsWrittenFor(database.queryIn(tx), userId),
    /**
     * Replaces the names of a user as the author of memories that organizations keep, within the transaction that
     * deletes the account and has locked those organizations.
     */
    async eraseAuthor(tx: Db, { id: userId, username, displayName }: DeletedUser): Promise<void> {
      const query = database.queryIn(tx)
      const names = [username, displayName ?? username].map((name) => name.toLowerCase())
      for (const ownerId of await listOrgsWrittenFor(query, userId)) {
        await replaceAuthor(query, { ownerId, userId, names }, [EXTRACTION])
        afterCommit(tx, () => engines.schedule(ownerId))
      }
    },
    /** Stops the engines; pending tasks stay in the database. */
    async stop(): Promise<void> {
      await Promise.all([engines.stop(), scoring.stop()])
    },
  }
}
