import type { Query } from '../../platform/db/database.ts'
import { blobOf } from './avatars.ts'
import { listAvatarUrls } from './store.ts'

/** The names of the blobs of all pictures. */
export const listAvatarBlobs = async (query: Query): Promise<string[]> =>
  (await listAvatarUrls(query)).flatMap((url) => blobOf(url) ?? [])
