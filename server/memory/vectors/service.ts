import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { createBreaker } from '../../platform/models/breaker.ts'
import { ModelFailure } from '../../platform/models/failure.ts'
import type { Engine } from '../engines/engine.ts'
import type { RecallFilter } from '../recall/scope.ts'
import type { Near } from '../recall/store.ts'
import { createEmbeddingEndpoint, type EmbeddingSettings, type Vector } from './endpoint.ts'
import {
  enableVectors,
  FIRST_PLACE,
  findTable,
  findVectors,
  nearestMemories,
  prepareTable,
  putVectors,
  queueMissing,
  type Support,
  tableNameOf,
  type VectorTable,
} from './store.ts'

const ENGINE = 'embedding'
const BATCH = 64
/** Words that every model knows: it is asked for their vector first. */
const SAMPLE = 'What do you remember?'
const BATCH_TIMEOUT_MS = 60_000
/** What a recall waits for its question's vector and the memories near it, before it goes on without. */
const RECALL_BUDGET_MS = 300
const BREAKER = { failures: 3, windowMs: 60_000, coolDownMs: 5_000, maxCoolDownMs: 60_000 }
/** An endpoint that does not answer at the start is asked again, ever less often. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

/**
 * Memories as vectors of an embedding model: made in the background, and searched for what is like a
 * question. Whatever goes wrong with them, recall goes on by words.
 */
export const startVectors = async (
  database: Database,
  settings: EmbeddingSettings,
  log: Log,
  recallBudgetMs = RECALL_BUDGET_MS,
) => {
  const { model } = settings
  const support = await enableVectors(database)
  if (support !== 'available') log.warn({ support }, MISSING[support])
  const endpoint = createEmbeddingEndpoint(settings)
  const stopped = new AbortController()
  const breaker = createBreaker(BREAKER, (state) =>
    log.warn({ model, state }, 'recall by the embedding model'),
  )
  /** Where vectors are; undefined until it is known how long they are. */
  let table: VectorTable | undefined
  let failure: ModelFailure | undefined
  /** Has the jobs look at what was queued. */
  let wake = async () => {}
  let begun = Promise.resolve()

  const embed = async (texts: string[], signal: AbortSignal): Promise<Vector[]> => {
    try {
      const vectors = await endpoint.embed(texts, AbortSignal.any([signal, stopped.signal]))
      failure = undefined
      return vectors
    } catch (error) {
      if (error instanceof ModelFailure) failure = error
      throw error
    }
  }

  /** Keeps vectors of this length from now on; those of another model or length are dropped. */
  const keep = async (dimensions: number): Promise<void> => {
    if (table?.dimensions === dimensions) return
    table = undefined
    const wanted = { name: tableNameOf(model), dimensions }
    await prepareTable(database, wanted)
    table = wanted
  }

  /** Queues what has no vector yet. */
  const backfill = async (): Promise<void> => {
    let place: typeof FIRST_PLACE | undefined = FIRST_PLACE
    while (place && table && !stopped.signal.aborted)
      place = await queueMissing(database.query, table, ENGINE, place)
    await wake()
  }

  const prepare = async (): Promise<void> => {
    const known =
      settings.dimensions ?? (await findTable(database.query, tableNameOf(model)))?.dimensions
    if (known) await keep(known)
    // It may have another model by that name now.
    const [vector] = await embed([SAMPLE], AbortSignal.timeout(BATCH_TIMEOUT_MS))
    if (!vector) throw new ModelFailure('malformed', { provider: ENGINE })
    await keep(vector.length)
    await backfill()
  }

  /** Tries until the endpoint has answered once. */
  const begin = async (): Promise<void> => {
    for (
      let wait = FIRST_PAUSE_MS;
      !stopped.signal.aborted;
      wait = Math.min(wait * 2, LONGEST_PAUSE_MS)
    ) {
      try {
        return await prepare()
      } catch (error) {
        log.warn({ error, model }, 'no vectors yet; it is tried again')
        await pause(wait, undefined, { signal: stopped.signal, ref: false }).catch(() => {})
      }
    }
  }

  const engine: Engine = {
    name: ENGINE,
    about: `Makes vectors of memories with ${model}, for recall by likeness.`,
    batch: BATCH,
    async run(ownerId, memories) {
      const current = table
      if (!current) throw new ModelFailure('unavailable', { provider: ENGINE })
      const seqs = memories.map(({ seq }) => seq)
      const made = await findVectors(database.query, current, ownerId, seqs)
      const open = memories.filter(({ seq, contentHash }) => made.get(seq) !== contentHash)
      if (open.length === 0) return
      const embeddings = await embed(
        open.map(({ contentText }) => contentText),
        AbortSignal.timeout(BATCH_TIMEOUT_MS),
      )
      const vectors = open.map(({ seq, contentHash }, i) => ({
        seq,
        contentHash,
        embedding: embeddings[i],
      }))
      const length = embeddings.find((embedding) => embedding)?.length
      if (length && length !== current.dimensions) {
        await keep(length)
        await backfill()
      }
      await putVectors(database.query, table ?? current, ownerId, vectors)
    },
  }

  const find = async (
    current: VectorTable,
    ownerId: string,
    question: string,
    filter: RecallFilter,
    limit: number,
    signal: AbortSignal,
  ): Promise<Near[]> => {
    const [vector] = await embed([question], signal)
    if (!vector) return []
    if (vector.length !== current.dimensions)
      throw new ModelFailure('malformed', { provider: ENGINE })
    return nearestMemories(database.query, current, ownerId, vector, filter, limit)
  }

  return {
    /** Undefined where the database has no vectors. */
    engine: support === 'available' ? engine : undefined,

    /** Makes the table and has all that lacks a vector queued, in the background. */
    begin(sweep: () => Promise<void>): void {
      if (support !== 'available') return
      wake = sweep
      begun = begin()
    },
    /** The memories most like a question, or none when that takes too long or goes wrong. */
    async near(
      ownerId: string,
      question: string,
      filter: RecallFilter,
      limit: number,
    ): Promise<Near[]> {
      const current = table
      const passage = current && breaker.enter()
      if (!passage) return []
      const signal = AbortSignal.timeout(recallBudgetMs)
      try {
        const search = find(current, ownerId, question, filter, limit, signal)
        const found = await Promise.race([search, aborted(signal)])
        passage.succeeded()
        return found
      } catch (error) {
        passage.failed()
        log.debug({ error }, 'recall goes on without the embedding model')
        return []
      } finally {
        passage.ended()
      }
    },

    /** For the health report. */
    async state(): Promise<{ state: 'ok' | 'down'; note: string }> {
      if (support !== 'available') return { state: 'down', note: MISSING[support] }
      if (failure) return { state: 'down', note: `recall goes on by words: ${failure.message}` }
      if (!table) return { state: 'ok', note: `waiting for the first answer of ${model}` }
      return { state: 'ok', note: `${model}, ${table.dimensions} dimensions` }
    },

    async stop(): Promise<void> {
      stopped.abort()
      await begun
    },
  }
}

const MISSING: Record<Support, string> = {
  available: '',
  missing: 'recall goes on by words: the database has no pgvector',
  too_old: 'recall goes on by words: it takes pgvector 0.7 or later',
  forbidden: 'recall goes on by words: the login may not create the extension vector',
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
