import type { Backfills } from '../../../platform/backfills/service.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import { builtInBackfill } from '../../memories/backfills.ts'
import { BUILT_IN_MODEL } from '../../memories/vectors.ts'
import { createBuiltInSearch } from '../../recall/built-in-search.ts'
import type { SearchVectors } from '../../recall/candidate-set.ts'
import { createEncoder, type EncoderSettings } from './encoder/encoder.ts'
import { createEmbeddingEndpoint, type EmbeddingSettings } from './endpoint.ts'
import { createEmbeddingEngine } from './engine.ts'
import { createEmbeddingModel } from './model.ts'
import { createEmbeddingSearch } from './search.ts'

/**
 * Finds memories by vector: by those of the configured model where it answers in time,
 * otherwise by the built-in ones.
 */
export type VectorService = ReturnType<typeof createVectorService>

interface VectorDeps {
  backfills: Pick<Backfills, 'isDone'>
  /** Undefined where no model is configured. */
  settings: EmbeddingSettings | EncoderSettings | undefined
  log: Log
  /** How long a recall waits for the model. */
  recallBudgetMs: number | undefined
}

export const createVectorService = (
  database: Database,
  { backfills, settings, log, recallBudgetMs }: VectorDeps,
) => {
  const model = settings && createEmbeddingModel(database, sourceOf(settings), log)
  const searchEmbeddings =
    model && createEmbeddingSearch(database.reads.query, model, log, recallBudgetMs)

  const searchBuiltIn = createBuiltInSearch(database.reads.query)

  const search: SearchVectors = async (request) =>
    (await searchEmbeddings?.(request)) ?? searchBuiltIn(request)

  return {
    search,
    /** Searches by the configured model alone; undefined where none is configured. */
    searchModel: searchEmbeddings,
    /** Undefined where no model is configured: the built-in vectors are written with the memory. */
    engine: model && createEmbeddingEngine(database, model),
    /** @param sweep runs the engine; undefined if another server queues the memories without a vector. */
    start: (sweep: (() => Promise<void>) | undefined): void => model?.start(sweep),
    /** For the health report. */
    state: async (): Promise<{ state: 'ok' | 'down'; note: string }> =>
      (await model?.state()) ?? { state: 'ok', note: await builtInNote(backfills) },
    stop: async (): Promise<void> => model?.stop(),
  }
}

const sourceOf = (settings: EmbeddingSettings | EncoderSettings) =>
  'directory' in settings ? createEncoder(settings) : createEmbeddingEndpoint(settings)

const builtInNote = async (backfills: Pick<Backfills, 'isDone'>): Promise<string> => {
  const note = `built in, ${BUILT_IN_MODEL.dimensions} dimensions`
  const isComplete = await backfills.isDone(builtInBackfill.name)
  return isComplete ? note : `${note}; vectors of older memories are being created`
}
