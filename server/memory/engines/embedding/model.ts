import { setTimeout as pause } from 'node:timers/promises'
import { budgets } from '../../../platform/budgets.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import { ModelFailure } from '../../../platform/models/failure.ts'
import { FIRST_KEY, type MemoryKey } from '../../memories/backfill-store.ts'
import { BUILT_IN_MODEL, type VectorModel, vectorModel } from '../../memories/vectors.ts'
import { PROVIDER, type Purpose, type Vector, type VectorSource } from './source.ts'
import { countWaiting, deleteOtherModels, queueMissing } from './store.ts'

export const BATCH_TIMEOUT_MS = budgets.embeddings.ms
/** Chosen with simulated vectors of the quality of a trained retriever (docs/explanation/recall.md). */
const SIMILARITY_WEIGHT = 1
/** Words that every model knows: their vector shows the length. */
const SAMPLE = 'What do you remember?'
/** How long to wait before a model that does not answer at the start is tried again. */
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 60_000

export type EmbeddingModel = ReturnType<typeof createEmbeddingModel>

/** The configured model, and which memories have its vectors. */
export const createEmbeddingModel = (database: Database, source: VectorSource, log: Log) => {
  const { name, batch } = source
  const stopped = new AbortController()
  /** Undefined until the length of its vectors is known. */
  let current: VectorModel | undefined
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
      key = await queueMissing(database.query, current, PROVIDER, key)
    await wakeEngine()
    const deleteStale = () =>
      current &&
      !stopped.signal.aborted &&
      deleteOtherModels(database.query, [BUILT_IN_MODEL, current])
    while (await deleteStale());
  }

  const useDimensions = async (dimensions: number): Promise<void> => {
    const next = vectorModel(source.identity(), dimensions, SIMILARITY_WEIGHT)
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
        const [vector] = await embed([SAMPLE], 'memory', AbortSignal.timeout(BATCH_TIMEOUT_MS))
        if (!vector) throw new ModelFailure('malformed', { provider: PROVIDER })
        return await useDimensions(vector.length)
      } catch (error) {
        log.warn({ error, model: name }, 'the embedding model does not answer yet; retrying')
        await pause(wait, undefined, { signal: stopped.signal, ref: false }).catch(() => {})
      }
    }
  }

  return {
    name,
    batch,
    embed,
    current: () => current,
    /** Switches to vectors of another length, and queues all memories for them. */
    useDimensions,

    /** Connects in the background, and then queues the memories without a vector, if `sweep` is given. */
    start(sweep: (() => Promise<void>) | undefined): void {
      wakeEngine = sweep
      started = connect()
    },

    /** For the health report. */
    async state(): Promise<{ state: 'ok' | 'down'; note: string }> {
      if (failure)
        return { state: 'down', note: `recall uses the built-in vectors: ${failure.message}` }
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
