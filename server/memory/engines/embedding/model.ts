import { setTimeout as pause } from 'node:timers/promises'
import { budgets } from '../../../platform/budgets.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import { ModelFailure } from '../../../platform/models/failure.ts'
import { FIRST_KEY, type MemoryKey } from '../../memories/backfill-store.ts'
import { type UsualSimilarity, vectorModel } from '../../memories/vectors.ts'
import { PROVIDER, type Purpose, type Vector, type VectorSource } from './source.ts'
import { countWaiting, deleteOtherModels, hasVectors, queueMissing } from './store.ts'

export const BATCH_TIMEOUT_MS = budgets.embeddings.ms
/** Texts that have nothing to do with each other. Their vectors show the length, and which similarity is usual. */
export const SAMPLES = [
  'What do you remember?',
  'The train to the coast leaves at nine.',
  'She painted the kitchen yellow.',
  'Interest rates went up again.',
  'The cat sleeps on the warm roof.',
  'He repaired the old engine.',
  'Add two spoons of flour to the soup.',
  'The committee rejected the proposal.',
]
const WARM_UP = 'warm up'
/** How long to wait before a model that does not answer at the start is tried again. */
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 60_000

export type EmbeddingModel = ReturnType<typeof createEmbeddingModel>

/** The configured model, and which memories have its vectors. */
export const createEmbeddingModel = (database: Database, source: VectorSource, log: Log) => {
  const { name, batch, isRemote, questionBudgetMs, languages } = source
  const stopped = new AbortController()
  /** Undefined until the length of its vectors is known. */
  let current =
    source.known && vectorModel(source.known.identity, source.known.dimensions, source.known.usual)
  let usual = source.known?.usual
  let failure: ModelFailure | undefined
  let wakeEngine: (() => Promise<void>) | undefined
  let started = Promise.resolve()

  const embed = async (
    texts: string[],
    purpose: Purpose,
    signal: AbortSignal,
  ): Promise<Vector[]> => {
    try {
      const vectors = await source.embed(texts, purpose, AbortSignal.any([signal, stopped.signal]))
      failure = undefined
      return vectors
    } catch (error) {
      if (error instanceof ModelFailure) failure = error
      throw error
    }
  }

  /** Queues the memories without a vector, and deletes the vectors of other models. */
  const backfill = async (): Promise<void> => {
    if (!wakeEngine) return
    let key: MemoryKey | undefined = FIRST_KEY
    while (key && current && !stopped.signal.aborted)
      key = await queueMissing(database.query, { model: current, languages, engine: PROVIDER }, key)
    await wakeEngine()
    const deleteStale = () =>
      current && !stopped.signal.aborted && deleteOtherModels(database.query, current)
    while (await deleteStale());
  }

  const useDimensions = async (dimensions: number): Promise<void> => {
    const next = vectorModel(source.identity(), dimensions, usual)
    if (current?.id === next.id) return
    current = next
    await backfill()
  }

  /** Tries until the model has answered once. */
  const connect = async (): Promise<void> => {
    for (
      let wait = FIRST_PAUSE_MS;
      !stopped.signal.aborted;
      wait = Math.min(wait * 2, MAX_PAUSE_MS)
    ) {
      try {
        const found = await embed(SAMPLES, 'memory', AbortSignal.timeout(BATCH_TIMEOUT_MS))
        const vectors = found.filter((vector) => vector !== undefined)
        if (!vectors[0]) throw new ModelFailure('malformed', { provider: PROVIDER })
        usual = usualOf(vectors)
        return await useDimensions(vectors[0].length)
      } catch (error) {
        log.warn({ error, model: name }, 'the embedding model does not answer yet; retrying')
        await pause(wait, undefined, { signal: stopped.signal, ref: false }).catch(() => {})
      }
    }
  }

  /** Loads an encoder on this machine before the first question of people who have memories. */
  const warm = async (): Promise<void> => {
    if (isRemote || !current || stopped.signal.aborted) return
    if (!(await hasVectors(database.query, current))) return
    await embed([WARM_UP], 'question', AbortSignal.timeout(BATCH_TIMEOUT_MS)).catch((error) =>
      log.warn({ error, model: name }, 'the encoder could not be loaded'),
    )
  }

  return {
    name,
    batch,
    isRemote,
    questionBudgetMs,
    /** @param likely the languages that a text may be written in; empty: it is too short to say. */
    knowsLanguage: (likely: readonly string[]): boolean =>
      !languages || likely.length === 0 || likely.some((one) => languages.includes(one)),
    embed,
    current: () => current,
    /** Switches to vectors of another length, and queues all memories for them. */
    useDimensions,

    /** Connects in the background where the model is not known yet, and then queues the memories without a vector, if `sweep` is given. */
    start(sweep: (() => Promise<void>) | undefined): void {
      wakeEngine = sweep
      started = (current ? backfill() : connect()).then(warm)
    },

    /** For the health report. */
    async state(): Promise<{ state: 'ok' | 'down'; note: string }> {
      if (failure)
        return { state: 'down', note: `recall searches by words alone: ${failure.message}` }
      if (!current) return { state: 'ok', note: `waiting for the first response of ${name}` }
      const note = `${name}, ${current.dimensions} dimensions`
      const { count, isMore } = await countWaiting(database.query, PROVIDER)
      const waiting = `${isMore ? 'more than ' : ''}${count} memories wait for their vectors`
      return { state: 'ok', note: count ? `${note}; ${waiting}` : note }
    },

    async stop(): Promise<void> {
      stopped.abort()
      await started
      await source.stop()
    },
  }
}

/** The usual similarity of texts, by vectors of unit length; undefined for a single one. */
const usualOf = (vectors: number[][]): UsualSimilarity | undefined => {
  const similarities = vectors.flatMap((one, i) =>
    vectors
      .slice(i + 1)
      .map((other) => one.reduce((sum, value, d) => sum + value * (other[d] ?? 0), 0)),
  )
  if (similarities.length === 0) return undefined
  const mean = similarities.reduce((sum, each) => sum + each, 0) / similarities.length
  const variance =
    similarities.reduce((sum, each) => sum + (each - mean) ** 2, 0) / similarities.length
  return { mean, deviation: Math.sqrt(variance) }
}
