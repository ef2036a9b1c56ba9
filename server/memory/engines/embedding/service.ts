import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { VectorModel } from '../../memories/vectors.ts'
import type { EmbedQuestion } from '../../recall/vector-search.ts'
import { createEncoder, type EncoderSettings } from './encoder/encoder.ts'
import { createEmbeddingEndpoint, type EmbeddingSettings } from './endpoint.ts'
import { createEmbeddingEngine } from './engine.ts'
import { createEmbeddingModel } from './model.ts'
import { createQuestionVectors } from './question-vectors.ts'

/** The vectors of the configured model. Without one, recall searches by words alone. */
export type VectorService = ReturnType<typeof createVectorService>

interface VectorDeps {
  /** Undefined where meaning is turned off. */
  settings: EmbeddingSettings | EncoderSettings | undefined
  log: Log
  /** How long a recall waits for the model, instead of its own budget. */
  recallBudgetMs: number | undefined
}

export const createVectorService = (
  database: Database,
  { settings, log, recallBudgetMs }: VectorDeps,
) => {
  const model = settings && createEmbeddingModel(database, sourceOf(settings), log)
  const embedQuestion = model && createQuestionVectors(model, log, recallBudgetMs)
  return {
    embedQuestion: (async (text, languages) =>
      embedQuestion?.(text, languages)) satisfies EmbedQuestion,
    /** The model of the vectors that are compared; undefined until it is known. */
    model: (): VectorModel | undefined => model?.current(),
    /** Undefined where meaning is turned off. */
    engine: model && createEmbeddingEngine(database, model),
    /** @param sweep runs the engine; undefined if another server queues the memories without a vector. */
    start: (sweep: (() => Promise<void>) | undefined): void => model?.start(sweep),
    /** For the health report. */
    state: async (): Promise<{ state: 'ok' | 'down'; note: string }> =>
      (await model?.state()) ?? { state: 'ok', note: 'off: recall searches by words alone' },
    stop: async (): Promise<void> => model?.stop(),
  }
}

const sourceOf = (settings: EmbeddingSettings | EncoderSettings) =>
  'directory' in settings ? createEncoder(settings) : createEmbeddingEndpoint(settings)
