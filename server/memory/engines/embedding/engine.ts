import type { Database } from '../../../platform/db/database.ts'
import { ModelFailure } from '../../../platform/models/failure.ts'
import { encodeVector } from '../../memories/vectors.ts'
import { findVectors, storeVectors } from '../../memories/vectors-store.ts'
import type { Engine } from '../engine.ts'
import { BATCH_TIMEOUT_MS, type EmbeddingModel } from './model.ts'
import { PROVIDER } from './source.ts'
import { findPreceding, type Turn } from './store.ts'

/** Stores the vectors of the configured model, in the background. */
export const createEmbeddingEngine = (database: Database, model: EmbeddingModel): Engine => ({
  name: PROVIDER,
  about: `Computes the vectors of memories with ${model.name}`,
  waitsForModel: true,
  newestFirst: true,
  batch: model.batch,
  async run(ownerId, memories, lease) {
    const before = model.current()
    if (!before) throw new ModelFailure('unavailable', { provider: PROVIDER })
    const seqs = memories.map(({ seq }) => seq)
    const existing = await findVectors(database.query, before, ownerId, seqs)
    const missing = memories.filter(
      ({ seq, language }) => !existing.has(seq) && model.knowsLanguage([language]),
    )
    if (missing.length === 0) return
    const preceding = await findPreceding(database.query, ownerId, missing)
    const embeddings = await model.embed(
      missing.map((memory) => textOf(memory, preceding.get(memory.seq))),
      'memory',
      AbortSignal.timeout(BATCH_TIMEOUT_MS),
    )
    const dimensions = embeddings.find((embedding) => embedding)?.length
    if (dimensions) await model.useDimensions(dimensions)
    const vectors = missing.flatMap(({ seq, contentHash }, i) => {
      const embedding = embeddings[i]
      return embedding ? [{ seq, contentHash, code: encodeVector(embedding) }] : []
    })
    await database.transaction(async (query) => {
      await lease.confirm(query)
      await storeVectors(query, model.current() ?? before, ownerId, vectors)
    })
  },
})

/** A longer turn is not what the next one is about: its words would stand for most of the vector. */
const MAX_PRECEDING_CHARACTERS = 300

/** The text that stands for a memory: a turn of a chat, with its author, after the turn before if that is short. */
const textOf = (turn: Turn, before: Turn | undefined): string =>
  turn.author === null
    ? turn.contentText
    : [
        ...(before && before.contentText.length <= MAX_PRECEDING_CHARACTERS
          ? [`${before.author}: ${before.contentText}`]
          : []),
        `${turn.author}: ${turn.contentText}`,
      ].join('\n')
