import type { Database } from '../../../platform/db/database.ts'
import { ModelFailure } from '../../../platform/models/failure.ts'
import { encodeVector } from '../../memories/vector-code.ts'
import { findVectors, storeVectors } from '../../memories/vectors-store.ts'
import type { Engine } from '../engine.ts'
import { BATCH_TIMEOUT_MS, EMBEDDING, type EmbeddingModel } from './model.ts'

const BATCH = 64

/** Stores the vectors of an embedding endpoint's model, in the background. */
export const createEmbeddingEngine = (database: Database, model: EmbeddingModel): Engine => ({
  name: EMBEDDING,
  about: `Computes the vectors of memories with ${model.name}`,
  waitsForModel: true,
  batch: BATCH,
  async run(ownerId, memories, lease) {
    const before = model.current()
    if (!before) throw new ModelFailure('unavailable', { provider: EMBEDDING })
    const seqs = memories.map(({ seq }) => seq)
    const existing = await findVectors(database.query, before, ownerId, seqs)
    const missing = memories.filter(({ seq }) => !existing.has(seq))
    if (missing.length === 0) return
    const embeddings = await model.embed(
      missing.map(({ contentText }) => contentText),
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
