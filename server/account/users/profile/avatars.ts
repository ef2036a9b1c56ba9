import { randomBytes } from 'node:crypto'
import type { Blobs } from '../../../platform/blobs.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { JobKind, Jobs } from '../../../platform/jobs.ts'

/** The public path of all pictures, uploaded and generated. */
export const AVATARS_PATH = '/api/avatars/'
const RETRIES = 20

/** Stores pictures. Each has an unguessable name and never changes. */
export interface Avatars {
  /** @returns the path of the picture. */
  store(picture: Uint8Array): Promise<string>
  /** @returns undefined when the file does not exist. */
  read(file: string): Promise<Uint8Array | undefined>
  /** Queues the deletion, which happens if the transaction commits. */
  scheduleDelete(tx: Db, url: string): Promise<void>
  /** Deletes the picture now and ignores errors; `scheduleDelete` retries. */
  delete(url: string): Promise<void>
}

export const startAvatars = (blobs: Blobs, jobs: Jobs): Avatars => {
  const removal: JobKind<{ blob: string }> = {
    name: 'avatar-removal',
    retries: RETRIES,
    run: ({ blob }) => blobs.delete(blob),
  }
  jobs.work(removal)

  return {
    async store(picture) {
      const file = `${randomBytes(16).toString('hex')}.webp`
      await blobs.put(blobName(file), picture)
      return `${AVATARS_PATH}${file}`
    },
    async read(file) {
      return /^[0-9a-f]{32}\.webp$/.test(file) ? blobs.get(blobName(file)) : undefined
    },
    scheduleDelete: (tx, url) => jobs.send(removal, { blob: blobName(fileOf(url)) }, { tx }),
    delete: (url) => blobs.delete(blobName(fileOf(url))).catch(() => {}),
  }
}

const fileOf = (url: string) => url.slice(AVATARS_PATH.length)

/** Keeps other uploads out of reach of the public path. */
export const BLOB_PREFIX = 'avatar-'

const blobName = (file: string) => `${BLOB_PREFIX}${file}`

/** The name of the blob of an uploaded picture; undefined for other URLs. */
export const blobOf = (url: string): string | undefined =>
  url.startsWith(AVATARS_PATH) ? blobName(fileOf(url)) : undefined
