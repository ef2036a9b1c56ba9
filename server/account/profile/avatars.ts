import { randomBytes } from 'node:crypto'
import type { Blobs } from '../../platform/blobs.ts'
import type { Db } from '../../platform/db/database.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'

const PATH = '/api/avatars/'
const RETRIES = 20

/** The pictures as they are stored: each under a name that nobody can guess, and never changed. */
export interface Avatars {
  /** @returns the path that the picture is served at. */
  keep(picture: Uint8Array): Promise<string>
  /** @returns undefined for a file that is not there. */
  read(file: string): Promise<Uint8Array | undefined>
  /** Queues the removal within a transaction of the caller's: it happens if that commits. */
  forget(tx: Db, url: string): Promise<void>
  /** Removes it now. What fails is left to `forget`. */
  remove(url: string): Promise<void>
}

export const startAvatars = async (blobs: Blobs, jobs: Jobs): Promise<Avatars> => {
  const removal: JobKind<{ blob: string }> = {
    name: 'avatar-removal',
    retries: RETRIES,
    run: ({ blob }) => blobs.delete(blob),
  }
  await jobs.work(removal)

  return {
    async keep(picture) {
      const file = `${randomBytes(16).toString('hex')}.webp`
      await blobs.put(blobName(file), picture)
      return `${PATH}${file}`
    },
    async read(file) {
      return /^[0-9a-f]{32}\.webp$/.test(file) ? blobs.get(blobName(file)) : undefined
    },
    forget: (tx, url) => jobs.send(removal, { blob: blobName(fileOf(url)) }, { tx }),
    remove: (url) => blobs.delete(blobName(fileOf(url))).catch(() => {}),
  }
}

const fileOf = (url: string) => url.slice(PATH.length)

/** Told apart from other uploads, so that the public path leads to pictures alone. */
const blobName = (file: string) => `avatar-${file}`
