import type { BlobReferences, Blobs } from '../../platform/blobs.ts'
import type { Query } from '../../platform/db/database.ts'

export interface BlobProblems {
  /** Blobs that the database refers to and that do not exist. */
  missing: string[]
  /** Blobs that nothing refers to. */
  unused: string[]
}

/** A younger blob may belong to an upload that is not in the database yet. */
const MIN_AGE_MS = 60 * 60 * 1000

/** Compares the blobs with the database. @param repairs whether it deletes unused ones. */
export const checkBlobs = async (
  query: Query,
  blobs: Blobs,
  references: readonly BlobReferences[],
  repairs: boolean,
): Promise<BlobProblems> => {
  const before = Date.now() - MIN_AGE_MS
  const stored = new Map<string, Date>()
  for await (const { name, modifiedAt } of blobs.list()) stored.set(name, modifiedAt)
  const referenced = new Set((await Promise.all(references.map(({ list }) => list(query)))).flat())
  // A bucket may have other objects.
  const isOwn = (name: string) => references.some(({ prefix }) => name.startsWith(prefix))
  const unused = [...stored].flatMap(([name, modifiedAt]) =>
    isOwn(name) && !referenced.has(name) && modifiedAt.getTime() < before ? [name] : [],
  )
  const missing: string[] = []
  // Again, because it may be newer than the list.
  for (const name of referenced)
    if (!stored.has(name) && !(await blobs.get(name))) missing.push(name)
  if (repairs) for (const name of unused) await blobs.delete(name)
  return { missing, unused }
}
