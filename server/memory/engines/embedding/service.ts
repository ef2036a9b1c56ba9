import { existsSync } from 'node:fs'
import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import { ModelFailure } from '../../../platform/models/failure.ts'
import type { EncodeTexts } from '../../../platform/process-link.ts'
import type { VectorModel } from '../../memories/vectors.ts'
import type { EmbedQuestion } from '../../recall/vector-search.ts'
import { createEncoder, createSharedEncoder, type EncoderSettings } from './encoder/encoder.ts'
import { MULTILINGUAL } from './encoder/names.ts'
import { createEmbeddingEndpoint, type EmbeddingSettings } from './endpoint.ts'
import { createEmbeddingEngine } from './engine.ts'
import { BATCH_TIMEOUT_MS, createEmbeddingModel, type EmbeddingModel } from './model.ts'
import { createQuestionVectors } from './question-vectors.ts'
import type { VectorSource } from './source.ts'
import { countLanguages } from './store.ts'

/** The vectors of the configured model. Without one, recall searches by words alone. */
export type VectorService = ReturnType<typeof createVectorService>

interface VectorDeps {
  /** Undefined where meaning is turned off. */
  settings: EmbeddingSettings | EncoderSettings | undefined
  log: Log
  /** How long a recall waits for the model, instead of its own budget. */
  recallBudgetMs: number | undefined
  /** The encoder of the first process of the server; undefined for that one. */
  encode: EncodeTexts | undefined
}

export const createVectorService = (
  database: Database,
  { settings, log, recallBudgetMs, encode }: VectorDeps,
) => {
  const source = settings && sourceOf(settings, encode)
  const model = source && createEmbeddingModel(database, source, log)
  const embedQuestion = model && createQuestionVectors(model, log, recallBudgetMs)
  return {
    embedQuestion: (async (text, languages) =>
      embedQuestion?.(text, languages)) satisfies EmbedQuestion,
    /** Encodes for the other processes of the server. */
    encode: encodeBy(source),
    /** The model of the vectors that are compared; undefined until it is known. */
    model: (): VectorModel | undefined => model?.current(),
    /** Undefined where meaning is turned off. */
    engine: model && createEmbeddingEngine(database, model),
    /** @param sweep runs the engine; undefined if another server queues the memories without a vector. */
    start: (sweep: (() => Promise<void>) | undefined): void => model?.start(sweep),
    /** For the health report. */
    async state(): Promise<{ state: 'ok' | 'down'; note: string; suggestion?: string }> {
      if (!model) return { state: 'ok', note: 'off: recall searches by words alone' }
      const [state, suggestion] = await Promise.all([
        model.state(),
        suggestionFor(database, settings, model),
      ])
      return { ...state, ...(suggestion && { suggestion }) }
    },
    stop: async (): Promise<void> => model?.stop(),
  }
}

/** Fewer memories do not show the languages of a server. */
const MIN_MEMORIES = 20

/** Where most memories are in languages that the default model does not know: how to get another one. */
const suggestionFor = async (
  { query }: Database,
  settings: EmbeddingSettings | EncoderSettings,
  { name, knowsLanguage }: EmbeddingModel,
): Promise<string | undefined> => {
  const other = 'multilingual' in settings ? settings.multilingual : undefined
  if (!other || existsSync(other)) return undefined
  const counts = await countLanguages(query)
  const sumOf = (some: typeof counts) => some.reduce((sum, { count }) => sum + count, 0)
  const all = sumOf(counts)
  const unknown = sumOf(counts.filter(({ language }) => !knowsLanguage([language])))
  return all >= MIN_MEMORIES && unknown > all / 2
    ? `Most memories are in languages that ${name} does not know. Run: svc models install ${MULTILINGUAL} (or set SVC_EMBEDDING=onnx:${name} to keep it)`
    : undefined
}

const sourceOf = (
  settings: EmbeddingSettings | EncoderSettings,
  encode: EncodeTexts | undefined,
): VectorSource => {
  if (!('directory' in settings)) return createEmbeddingEndpoint(settings)
  return encode ? createSharedEncoder(settings, encode) : createEncoder(settings)
}

/** Encodes for the other processes of the server. */
export const encodeBy =
  (source: VectorSource | undefined): EncodeTexts =>
  async ({ texts, purpose }) => {
    try {
      if (!source) throw new ModelFailure('unavailable')
      const vectors = await source.embed(texts, purpose, AbortSignal.timeout(BATCH_TIMEOUT_MS))
      return { identity: source.identity(), vectors: vectors.map((vector) => vector ?? null) }
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error
      return { failure: error.kind, reason: error.details.reason }
    }
  }
