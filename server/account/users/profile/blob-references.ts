import type { Query } from '../../../platform/db/database.ts'
import { BLOB_PREFIX, blobOf } from './avatars.ts'
import { listAvatarUrls } from './store.ts'

/** The blobs of all pictures. */
export const avatarBlobs = {
  prefix: BLOB_PREFIX,
  list: async (query: Query): Promise<string[]> =>
    (await listAvatarUrls(query)).flatMap((url) => blobOf(url) ?? []),
}
