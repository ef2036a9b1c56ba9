import type { Query } from '../../platform/db/database.ts'
import { listBlobs } from './store.ts'

/** The names of the blobs of all files. */
export const listFileBlobs = (query: Query): Promise<string[]> => listBlobs(query)
