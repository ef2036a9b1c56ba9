import { randomBytes } from 'node:crypto'
import type { Blobs } from '../../../platform/blobs.ts'
import type { Db, Query } from '../../../platform/db/database.ts'
import type { JobKind, Jobs } from '../../../platform/jobs.ts'
import { listAvatarUrls } from './store.ts'

/** The public path of all pictures, uploaded and generated. */
const AVATARS_PATH = '/api/avatars/'
const RETRIES = 20

/** Stores pictures. Each has an unguessable name and never changes. */
export type Avatars = ReturnType<typeof startAvatars>

export const startAvatars = (blobs: Blobs, jobs: Jobs) => {
  const removal: JobKind<{ blob: string }> = {
    name: 'avatar-removal',
    retries: RETRIES,
    run: ({ blob }) => blobs.delete(blob),
  }
  jobs.work(removal)

  return {
    /** @returns the path of the picture. */
    async store(picture: Uint8Array): Promise<string> {
      const file = `${randomBytes(16).toString('hex')}.webp`
      await blobs.put(blobName(file), picture)
      return `${AVATARS_PATH}${file}`
    },

    /** @returns undefined when the file does not exist. */
    async read(file: string): Promise<Uint8Array | undefined> {
      return /^[0-9a-f]{32}\.webp$/.test(file) ? blobs.get(blobName(file)) : undefined
    },

    /** Queues the deletion, which happens if the transaction commits. */
    scheduleDelete: (tx: Db, url: string): Promise<void> =>
      jobs.send(removal, { blob: blobName(fileOf(url)) }, { tx }),

    /** Deletes the picture now and ignores errors; `scheduleDelete` retries. */
    delete: (url: string): Promise<void> => blobs.delete(blobName(fileOf(url))).catch(() => {}),
  }
}

const fileOf = (url: string) => url.slice(AVATARS_PATH.length)

/** Keeps other uploads out of reach of the public path. */
export const BLOB_PREFIX = 'avatar-'

const blobName = (file: string) => `${BLOB_PREFIX}${file}`

/** The name of the blob of an uploaded picture; undefined for other URLs. */
const blobOf = (url: string): string | undefined =>
  url.startsWith(AVATARS_PATH) ? blobName(fileOf(url)) : undefined

/** The blobs of all pictures. */
export const avatarBlobs = {
  prefix: BLOB_PREFIX,
  list: async (query: Query): Promise<string[]> =>
    (await listAvatarUrls(query)).flatMap((url) => blobOf(url) ?? []),
}

const INITIALS_FILE = /^initials-((?:[0-9a-f]{2}){1,8})-(\d{1,2})\.svg$/
const HUES = 12
const NO_INITIALS = '?'
const DRAWABLE = /^(?:[\p{L}\p{N}]{1,2}|\?)$/u

/**
 * The path of the generated picture of a user without an uploaded one. The file name encodes the
 * initials and one of twelve hues, so the picture is not stored.
 */
export const initialsPath = (userId: string, name: string): string => {
  const hue = Number.parseInt(userId.slice(-4), 16) % HUES
  return `${AVATARS_PATH}initials-${Buffer.from(initialsOf(name)).toString('hex')}-${hue}.svg`
}

/** @returns undefined when `file` is not a name that `initialsPath` creates. */
export const drawInitials = (file: string): Uint8Array | undefined => {
  const [, hex = '', hue = ''] = INITIALS_FILE.exec(file) ?? []
  const initials = Buffer.from(hex, 'hex').toString()
  if (!DRAWABLE.test(initials) || Number(hue) >= HUES) return undefined
  return Buffer.from(renderSvg(initials, (Number(hue) * 360) / HUES))
}

/** The initials of the first and the last word. */
const initialsOf = (name: string): string => {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word = '') => {
    const [first = ''] = word
    const [upper = ''] = first.toUpperCase()
    return upper
  })
  return letters.join('') || NO_INITIALS
}

const renderSvg = (initials: string, degrees: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200" viewBox="0 0 200 200"><rect width="200" height="200" fill="hsl(${degrees}, 45%, 35%)"/><text x="100" y="100" fill="#fff" font-family="system-ui, sans-serif" font-size="84" text-anchor="middle" dominant-baseline="central">${initials}</text></svg>`
