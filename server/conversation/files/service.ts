import type { FileQuery, StoredFile } from '../../../shared/contract/files.ts'
import {
  deleteFile,
  getFile,
  getFileContent,
  listFiles,
  uploadFile,
} from '../../../shared/contract/index.ts'
import type { Blobs } from '../../platform/blobs.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { Upload } from '../../platform/http/upload.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import type { PromptFile } from '../../prompt/attachments.ts'
import { isImage } from './file-type.ts'
import {
  type FileSummary,
  findFile,
  findFiles,
  removeAllFiles,
  removeFile,
  selectFiles,
} from './store.ts'
import { createUploadFile, type FileReaders, fileError } from './upload.ts'

const REMOVAL_RETRIES = 20

type FileService = ReturnType<typeof startFileService>

export const startFileService = (
  database: Database,
  blobs: Blobs,
  jobs: Jobs,
  readers: FileReaders,
) => {
  const { db } = database
  const removal: JobKind<{ blob: string }> = {
    name: 'file-removal',
    retries: REMOVAL_RETRIES,
    run: ({ blob }) => blobs.delete(blob),
  }
  jobs.work(removal)
  const uploadFile = createUploadFile(database, blobs, readers)

  const find = async (caller: Caller, fileId: string): Promise<FileSummary> => {
    const file = await findFile(db, caller.userId, fileId)
    if (!file) throw fileError('file_not_found')
    return file
  }

  const readBytes = async (blob: string): Promise<Uint8Array> => {
    const bytes = await blobs.get(blob)
    if (!bytes) throw new Error('the blob of a file is missing')
    return bytes
  }

  return {
    /** @throws ApiError as `createUploadFile` describes. */
    store: async (caller: Caller, upload: Upload, signal: AbortSignal): Promise<StoredFile> =>
      present(await uploadFile(caller.userId, upload, signal)),

    async list(caller: Caller, { before, limit }: FileQuery): Promise<StoredFile[]> {
      return (await selectFiles(db, caller.userId, { before, limit })).map(present)
    },

    /**
     * @throws ApiError 404 for a file that does not exist or is another user's; so do all methods below.
     */
    get: async (caller: Caller, fileId: string): Promise<StoredFile> =>
      present(await find(caller, fileId)),

    async content(
      caller: Caller,
      fileId: string,
    ): Promise<{ name: string; type: string; bytes: Uint8Array }> {
      const { name, type, blob } = await find(caller, fileId)
      return { name, type, bytes: await readBytes(blob) }
    },

    /** Each file once, in the order of the ids. */
    async forPrompt(caller: Caller, fileIds: string[]): Promise<PromptFile[]> {
      const rows = await findFiles(db, caller.userId, [...new Set(fileIds)])
      const byId = new Map(rows.map((row) => [row.fileId, row]))
      return [...new Set(fileIds.map((id) => id.toLowerCase()))].map((id) => {
        const row = byId.get(id)
        if (!row) throw fileError('file_not_found')
        const { name, type, blob, extractedText } = row
        const image = isImage(type) ? () => readBytes(blob) : undefined
        return { name, type, text: extractedText, image }
      })
    },

    async delete(caller: Caller, fileId: string): Promise<void> {
      const blob = await db.transaction(async (tx) => {
        const removed = await removeFile(tx, caller.userId, fileId)
        if (removed) await jobs.send(removal, { blob: removed }, { tx })
        return removed
      })
      if (!blob) throw fileError('file_not_found')
      // The job retries a failure.
      await blobs.delete(blob).catch(() => {})
    },

    /** Deletes all files of a user, in the transaction that deletes the user. */
    async erase(tx: Db, userId: string): Promise<void> {
      for (const blob of await removeAllFiles(tx, userId))
        await jobs.send(removal, { blob }, { tx })
    },
  }
}

const present = (file: FileSummary): StoredFile => ({
  id: file.fileId,
  name: file.name,
  type: file.type,
  size: file.sizeBytes,
  has_text: file.hasText,
  created_at: file.createdAt.toISOString(),
})

export const fileRoutes = (mount: Mount, files: FileService): void => {
  mount(uploadFile, async ({ caller, upload, signal }) =>
    files.store(caller, await upload(), signal),
  )
  mount(listFiles, ({ caller, query }) => files.list(caller, query))
  mount(getFile, ({ caller, params }) => files.get(caller, params.file_id))
  mount(getFileContent, async ({ caller, params }) => {
    const { name, type, bytes } = await files.content(caller, params.file_id)
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: asDownload(name, type) })
  })
  mount(deleteFile, async ({ caller, params }) => {
    await files.delete(caller, params.file_id)
    return undefined
  })
}

/** Browsers download the file and never run it in our origin. The name is encoded by RFC 8187. */
const asDownload = (name: string, type: string): Record<string, string> => ({
  'content-type': type,
  'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, escaped)}`,
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-store',
})

const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
