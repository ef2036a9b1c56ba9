import { randomBytes } from 'node:crypto'
import type { FileQuery, StoredFile } from '../../../shared/schemas/files.ts'
import type { Blobs } from '../../platform/blobs.ts'
import { type Cap, checkRoom } from '../../platform/db/caps.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Upload } from '../../platform/http/upload.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import { Unreadable } from '../../platform/text/document.ts'
import type { Reader } from '../../platform/text/reader.ts'
import { isPicture, kindOf } from './kind.ts'
import {
  deleteAllFiles,
  deleteFile,
  type FileSummary,
  findFile,
  findFiles,
  insertFile,
  listFiles,
  sizeOfAll,
} from './store.ts'
import { files } from './table.ts'

const READ_TIMEOUT_MS = 30_000
const MAX_NAME_CHARS = 200
/** Of a person, all together. */
const MAX_BYTES = 1024 ** 3
const CAP: Cap = { table: files, most: 10_000, name: 'files' }
const RETRIES = 20

/** A file as a conversation needs it. */
export interface FileForPrompt {
  fileId: string
  name: string
  type: string
  /** Null where there is none, as in a picture. */
  text: string | null
  /** Of a picture: its bytes. @throws when they are not there. */
  picture: (() => Promise<Uint8Array>) | undefined
}

export type FileService = Awaited<ReturnType<typeof startFileService>>

export const startFileService = async (
  { db }: Database,
  blobs: Blobs,
  jobs: Jobs,
  reader: Reader,
) => {
  const removal: JobKind<{ blob: string }> = {
    name: 'file-removal',
    retries: RETRIES,
    run: ({ blob }) => blobs.delete(blob),
  }
  await jobs.work(removal)

  const found = async (caller: Caller, fileId: string): Promise<FileSummary> => {
    const file = await findFile(db, caller.userId, fileId)
    if (!file) throw notFound()
    return file
  }

  const bytesOf = async (blob: string): Promise<Uint8Array> => {
    const bytes = await blobs.get(blob)
    if (!bytes) throw new Error('the bytes of a file are gone')
    return bytes
  }

  /** What cannot be read is a file all the same. */
  const textOf = async (bytes: Uint8Array, type: string, name: string): Promise<string | null> => {
    if (isPicture(type)) return null
    try {
      const timeout = AbortSignal.timeout(READ_TIMEOUT_MS)
      return (await reader.read({ bytes, contentType: type, name }, timeout)).text
    } catch (error) {
      if (error instanceof Unreadable) return null
      throw error
    }
  }

  return {
    /** @throws ApiError 400 for a file of another kind, 409 for one too many, 413 for one that is too large. */
    async keep(caller: Caller, { bytes, tooLarge, type, name }: Upload): Promise<StoredFile> {
      const { userId } = caller
      if (tooLarge) throw new ApiError(413, 'The file is larger than 25 MB')
      if (bytes.byteLength === 0) throw new ApiError(400, 'The file is empty')
      const called = tidyName(name)
      const kind = await kindOf(bytes, { name: called, type })
      if (!kind) throw new ApiError(400, 'The file must be text, a PDF, a JPEG, PNG, WebP or GIF')
      await checkFits(db, userId, bytes.byteLength)
      const extractedText = await textOf(bytes, kind, called)
      const blob = `file-${randomBytes(16).toString('hex')}`
      await blobs.put(blob, bytes)
      const file = {
        userId,
        fileId: Bun.randomUUIDv7(),
        name: called,
        type: kind,
        sizeBytes: bytes.byteLength,
        blob,
        extractedText,
      }
      const adding = db.transaction(async (tx) => {
        // Others that came at the same time are counted by now.
        await checkFits(tx, userId, file.sizeBytes)
        return insertFile(tx, file)
      })
      const row = await adding.catch(async (error) => {
        await blobs.delete(blob).catch(() => {})
        throw error
      })
      return present(row)
    },

    async list(caller: Caller, { before, limit }: FileQuery): Promise<StoredFile[]> {
      return (await listFiles(db, caller.userId, { before, limit })).map(present)
    },

    /** @throws ApiError 404 for a file that is not there or not the caller's; so do all that follow. */
    get: async (caller: Caller, fileId: string): Promise<StoredFile> =>
      present(await found(caller, fileId)),

    async content(
      caller: Caller,
      fileId: string,
    ): Promise<{ name: string; type: string; bytes: Uint8Array }> {
      const { name, type, blob } = await found(caller, fileId)
      return { name, type, bytes: await bytesOf(blob) }
    },

    /** The files of a message, in the order in which they were given. */
    async forPrompt(caller: Caller, fileIds: string[]): Promise<FileForPrompt[]> {
      const rows = await findFiles(db, caller.userId, [...new Set(fileIds)])
      const byId = new Map(rows.map((row) => [row.fileId, row]))
      return [...new Set(fileIds.map((id) => id.toLowerCase()))].map((id) => {
        const row = byId.get(id)
        if (!row) throw notFound()
        const { fileId, name, type, blob, extractedText } = row
        const picture = isPicture(type) ? () => bytesOf(blob) : undefined
        return { fileId, name, type, text: extractedText, picture }
      })
    },

    async delete(caller: Caller, fileId: string): Promise<void> {
      const blob = await db.transaction(async (tx) => {
        const deleted = await deleteFile(tx, caller.userId, fileId)
        if (deleted) await jobs.send(removal, { blob: deleted }, { tx })
        return deleted
      })
      if (!blob) throw notFound()
      // What fails now is left to the job.
      await blobs.delete(blob).catch(() => {})
    },

    /** Takes all files of a user who is being deleted, within that transaction. */
    async erase(tx: Db, userId: string): Promise<void> {
      for (const blob of await deleteAllFiles(tx, userId))
        await jobs.send(removal, { blob }, { tx })
    },
  }
}

/** @throws ApiError 409 where a file would be one too many, 413 where so many bytes would be too much. */
const checkFits = async (within: Db, userId: string, bytes: number): Promise<void> => {
  await checkRoom(within, userId, CAP)
  if ((await sizeOfAll(within, userId)) + bytes > MAX_BYTES)
    throw new ApiError(413, 'Your files would be larger than 1 GB together; delete some first')
}

const notFound = () => new ApiError(404, 'File not found')

/** What a browser calls a file, in one line and without a path. */
const tidyName = (name: string): string => {
  const line = name
    .toWellFormed()
    .replace(/^.*[\\/]/s, '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
  if (line.length <= MAX_NAME_CHARS) return line || 'file'
  const ending = /\.\w{1,10}$/.exec(line)?.[0] ?? ''
  return line.slice(0, MAX_NAME_CHARS - ending.length).replace(/[\ud800-\udbff]$/, '') + ending
}

const present = (file: FileSummary): StoredFile => ({
  id: file.fileId,
  name: file.name,
  type: file.type,
  size: file.sizeBytes,
  has_text: file.hasText,
  created_at: file.createdAt.toISOString(),
})
