import { and, desc, eq, getTableColumns, inArray, isNotNull, lt, sql, sum } from 'drizzle-orm'
import type { Db, Query } from '../../platform/db/database.ts'
import { type FileRow, files } from './table.ts'

/** A file without its extracted text, which may be long. */
export type FileSummary = Omit<FileRow, 'extractedText'> & { hasText: boolean }

const { extractedText: _, ...columns } = getTableColumns(files)
const summary = { ...columns, hasText: sql<boolean>`${isNotNull(files.extractedText)}` }

const isFile = (userId: string, fileId: string) =>
  and(eq(files.userId, userId), eq(files.fileId, fileId))

export const insertFile = async (db: Db, file: typeof files.$inferInsert): Promise<FileSummary> => {
  const [row] = await db.insert(files).values(file).returning()
  const { extractedText, ...rest } = row as FileRow
  return { ...rest, hasText: extractedText !== null }
}

export const findFile = async (
  db: Db,
  userId: string,
  fileId: string,
): Promise<FileSummary | undefined> => {
  const [row] = await db.select(summary).from(files).where(isFile(userId, fileId))
  return row
}

/** With their extracted texts, in no order. */
export const findFiles = async (db: Db, userId: string, fileIds: string[]): Promise<FileRow[]> =>
  fileIds.length
    ? db
        .select()
        .from(files)
        .where(and(eq(files.userId, userId), inArray(files.fileId, fileIds)))
    : []

/** Newest first; `before` is the last file of the previous page. */
export const selectFiles = (
  db: Db,
  userId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<FileSummary[]> =>
  db
    .select(summary)
    .from(files)
    .where(and(eq(files.userId, userId), before ? lt(files.fileId, before) : undefined))
    .orderBy(desc(files.fileId))
    .limit(limit)

/** The total size of a user's files, in bytes. */
export const totalFileBytes = async (db: Db, userId: string): Promise<number> => {
  const [row] = await db
    .select({ bytes: sum(files.sizeBytes) })
    .from(files)
    .where(eq(files.userId, userId))
  return Number(row?.bytes ?? 0)
}

/** @returns the name of the file's blob; undefined where the file did not exist. */
export const removeFile = async (
  tx: Db,
  userId: string,
  fileId: string,
): Promise<string | undefined> => {
  const [row] = await tx.delete(files).where(isFile(userId, fileId)).returning({ blob: files.blob })
  return row?.blob
}

/** @returns the names of the files' blobs. */
export const removeAllFiles = async (tx: Db, userId: string): Promise<string[]> => {
  const rows = await tx
    .delete(files)
    .where(eq(files.userId, userId))
    .returning({ blob: files.blob })
  return rows.map(({ blob }) => blob)
}

/** The names of the blobs of all files. */
export const listBlobs = async (query: Query): Promise<string[]> =>
  (await query<{ blob: string }>('select blob from files', [])).map(({ blob }) => blob)
