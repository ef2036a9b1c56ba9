import { listBlobs } from './store.ts'
import { BLOB_PREFIX } from './upload.ts'

/** The blobs of all files. */
export const fileBlobs = { prefix: BLOB_PREFIX, list: listBlobs }
