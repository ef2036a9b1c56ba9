import { randomBytes } from 'node:crypto'
import type { Blobs } from '../../platform/blobs.ts'
import { budgets } from '../../platform/budgets.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { defineErrors } from '../../platform/http/error.ts'
import type { Upload } from '../../platform/http/upload.ts'
import type { Images } from '../../platform/images/images.ts'
import { checkRowLimit, type RowLimit } from '../../platform/row-limit.ts'
import type { DocumentReader } from '../../platform/text/reader.ts'
import { Unreadable } from '../../platform/text/types.ts'
import { detectFileType, isImage } from './file-type.ts'
import { type FileSummary, insertFile, listBlobs, totalFileBytes } from './store.ts'
import { files } from './table.ts'

export const fileError = defineErrors({
  file_not_found: { status: 404, detail: 'File not found' },
  file_empty: { status: 400, detail: 'The file is empty' },
  file_too_large: { status: 413, detail: 'The file is larger than 25 MB' },
  file_type_unsupported: {
    status: 400,
    detail: 'The file must be text, a PDF, a JPEG, PNG, WebP or GIF',
  },
  file_storage_full: {
    status: 413,
    detail: 'Your files would be larger than 1 GB together; delete some first',
  },
})

export const BLOB_PREFIX = 'file-'
const MAX_NAME_CHARS = 200
const ROW_LIMIT: RowLimit = { table: files, max: budgets.storedFiles.count, name: 'files' }

/** Readers of the content of files, in child processes. */
export interface FileReaders {
  reader: DocumentReader
  images: Images
}

/** @returns a function that stores an uploaded file of a user. */
export const createUploadFile = (
  { db }: Database,
  blobs: Blobs,
  { reader, images }: FileReaders,
) => {
  /** @returns null for an image, and for a document that cannot be read. */
  const extractText = async (
    bytes: Uint8Array,
    type: string,
    name: string,
  ): Promise<string | null> => {
    if (isImage(type)) return null
    try {
      const timeout = AbortSignal.timeout(budgets.documentUpload.ms)
      return (await reader.read({ bytes, contentType: type, name }, timeout)).text
    } catch (error) {
      if (error instanceof Unreadable) return null
      throw error
    }
  }

  /**
   * @throws ApiError 400 for an empty file or an unsupported type, 409 for too many files, 413 for a file
   * that is too large or does not fit into the user's storage.
   */
  return async (userId: string, upload: Upload, signal: AbortSignal): Promise<FileSummary> => {
    const { bytes, tooLarge } = upload
    if (tooLarge) throw fileError('file_too_large')
    if (bytes.byteLength === 0) throw fileError('file_empty')
    const name = cleanFileName(upload.name)
    const detectFormat = () => images.format(bytes, signal)
    const type = await detectFileType(bytes, { name, type: upload.type }, detectFormat)
    if (!type) throw fileError('file_type_unsupported')
    await checkStorage(db, userId, bytes.byteLength)
    const extractedText = await extractText(bytes, type, name)
    const blob = `${BLOB_PREFIX}${randomBytes(16).toString('hex')}`
    await blobs.put(blob, bytes)
    const fileId = Bun.randomUUIDv7()
    const sizeBytes = bytes.byteLength
    try {
      return await db.transaction(async (tx) => {
        // Again, because concurrent uploads are counted now.
        await checkStorage(tx, userId, sizeBytes)
        return insertFile(tx, { userId, fileId, name, type, sizeBytes, blob, extractedText })
      })
    } catch (error) {
      await blobs.delete(blob).catch(() => {})
      throw error
    }
  }
}

/** @throws ApiError 409 for too many files, 413 where the bytes do not fit into the user's storage. */
const checkStorage = async (within: Db, userId: string, bytes: number): Promise<void> => {
  await checkRowLimit(within, userId, ROW_LIMIT)
  if ((await totalFileBytes(within, userId)) + bytes > budgets.storedFiles.bytes)
    throw fileError('file_storage_full')
}

/** One line without a path. A name that is too long keeps its extension. */
const cleanFileName = (name: string): string => {
  const line = name
    .toWellFormed()
    .replace(/^.*[\\/]/s, '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
  if (line.length <= MAX_NAME_CHARS) return line || 'file'
  const extension = /\.\w{1,10}$/.exec(line)?.[0] ?? ''
  const end = MAX_NAME_CHARS - extension.length
  return line.slice(0, end).replace(/[\ud800-\udbff]$/, '') + extension
}

/** The blobs of all files. */
export const fileBlobs = { prefix: BLOB_PREFIX, list: listBlobs }
