import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { S3Client } from 'bun'
import { budgets } from './budgets.ts'
import { collectBytes } from './bytes.ts'
import type { Query } from './db/database.ts'
import { makeDirectory, replaceFile } from './durable-files.ts'

/** Uploaded files, under names that the server generates. */
export interface Blobs {
  /** Resolves when the blob is durable. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** @returns undefined when no blob has the name. */
  get(name: string): Promise<Uint8Array | undefined>
  delete(name: string): Promise<void>
  /** All blobs, and the drafts of interrupted writes. */
  list(): AsyncIterable<{ name: string; modifiedAt: Date }>
}

export interface S3Options {
  endpoint?: string | undefined
  bucket: string
  region?: string | undefined
  accessKeyId?: string | undefined
  secretAccessKey?: string | undefined
}

/** Whether a text is the name of a blob, which is one segment of a path. */
export const isBlobName = (name: string): boolean => /^[\w.-]+$/.test(name) && !name.startsWith('.')

const checkName = (name: string): void => {
  if (!isBlobName(name)) throw new Error('Invalid blob name')
}

/** The blobs of a domain. */
export interface BlobReferences {
  /** Of the names of its blobs. */
  prefix: string
  /** Selects the names of the blobs that it refers to. */
  list(query: Query): Promise<string[]>
}

/** Stores blobs in the S3 bucket if one is configured, otherwise in the data directory. */
export const createBlobs = (s3: S3Options | undefined, dataDir: string): Blobs =>
  s3 ? s3Blobs(s3) : fileBlobs(join(dataDir, 'blobs'))

/** Blobs in a directory. Each is written to a temporary file and renamed, so no reader sees a part. */
export const fileBlobs = (directory: string): Blobs => {
  makeDirectory(directory)
  const pathOf = (name: string) => {
    checkName(name)
    return join(directory, name)
  }
  return {
    put: async (name, bytes) => replaceFile(pathOf(name), bytes),
    async get(name) {
      const file = Bun.file(pathOf(name))
      return (await file.exists()) ? file.bytes() : undefined
    },
    delete: (name) => rm(pathOf(name), { force: true }),
    async *list() {
      for (const name of await readdir(directory)) {
        if (name.startsWith('.')) continue
        const found = await stat(join(directory, name)).catch(() => undefined)
        if (found) yield { name, modifiedAt: found.mtime }
      }
    },
  }
}

/** Bun's client has no time limit. A request that is given up ends with its connection. */
const withTimeout = async <T>(request: Promise<T>): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const { ms } = budgets.s3
  const timer = setTimeout(() => reject(new Error(`S3 did not answer within ${ms} ms`)), ms)
  return Promise.race([request, promise]).finally(() => clearTimeout(timer))
}

/** Blobs in a bucket of S3 or of a compatible service. */
const s3Blobs = ({ bucket, ...settings }: S3Options): Blobs => {
  const configured = Object.entries(settings).filter(([, value]) => value !== undefined)
  const client = new S3Client({ bucket, ...Object.fromEntries(configured) })
  const tooLarge = () => new Error('S3 returned more than the largest file has')
  return {
    async put(name, bytes) {
      checkName(name)
      await withTimeout(client.write(name, bytes))
    },
    async get(name) {
      const file = client.file(name)
      const read = async () =>
        (await file.exists()) ? collectBytes(file.stream(), budgets.s3.bytes, tooLarge) : undefined
      return withTimeout(read())
    },
    delete: (name) => withTimeout(client.delete(name)),
    async *list() {
      for (let startAfter: string | undefined; ; ) {
        const page = await withTimeout(client.list(startAfter === undefined ? {} : { startAfter }))
        for (const { key, lastModified } of page.contents ?? [])
          yield { name: key, modifiedAt: new Date(lastModified ?? 0) }
        startAfter = page.contents?.at(-1)?.key
        if (!page.isTruncated || startAfter === undefined) return
      }
    },
  }
}
