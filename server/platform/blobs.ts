import { mkdirSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { S3Client } from 'bun'

/** Files that people upload, under names that the server makes. */
export interface Blobs {
  put(name: string, bytes: Uint8Array): Promise<void>
  /** @returns undefined when there is none of that name. */
  get(name: string): Promise<Uint8Array | undefined>
  delete(name: string): Promise<void>
}

export interface S3Settings {
  endpoint?: string | undefined
  bucket: string
  region?: string | undefined
  accessKeyId?: string | undefined
  secretAccessKey?: string | undefined
}

/** Where blobs go: the bucket, if one is configured, else the data directory. */
export const createBlobs = (s3: S3Settings | undefined, dataDir: string): Blobs =>
  s3 ? s3Blobs(s3) : fileBlobs(dataDir)

/** Blobs in the data directory: written beside their place and moved there, so never half there. */
const fileBlobs = (dataDir: string): Blobs => {
  const directory = join(dataDir, 'blobs')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const pathOf = (name: string) => {
    if (!/^[\w.-]+$/.test(name) || name.startsWith('.')) throw new Error('not a blob name')
    return join(directory, name)
  }
  return {
    async put(name, bytes) {
      const draft = `${pathOf(name)}.${crypto.randomUUID()}`
      await Bun.write(draft, bytes)
      await rename(draft, pathOf(name))
    },
    async get(name) {
      const file = Bun.file(pathOf(name))
      return (await file.exists()) ? file.bytes() : undefined
    },
    delete: (name) => rm(pathOf(name), { force: true }),
  }
}

/** Blobs in a bucket of S3 or of a service that speaks its protocol. */
const s3Blobs = ({ bucket, ...settings }: S3Settings): Blobs => {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  const client = new S3Client({ bucket, ...Object.fromEntries(given) })
  return {
    async put(name, bytes) {
      await client.write(name, bytes)
    },
    async get(name) {
      const file = client.file(name)
      return (await file.exists()) ? file.bytes() : undefined
    },
    delete: (name) => client.delete(name),
  }
}
