import { BUILT_IN_ENCODER } from '../../server/memory/engines/embedding/encoder/names.ts'
import { createVectorService } from '../../server/memory/engines/embedding/service.ts'
import type { Database } from '../../server/platform/db/database.ts'
import { createLog } from '../../server/platform/log.ts'
import { owned } from './owned.ts'

/** A bench waits for each vector. */
const BUDGET_MS = 10_000

/** The built-in encoder in this process, for questions to a database whose server stores the vectors. */
export const openEncoder = (database: Database) => {
  const vectors = createVectorService(database, {
    settings: BUILT_IN_ENCODER,
    log: createLog('silent'),
    recallBudgetMs: BUDGET_MS,
    encode: undefined,
  })
  return { ...vectors, ...owned(vectors.stop) }
}
