import { createHash } from 'node:crypto'
import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { isBlobName } from '../../platform/blobs.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { type ArchiveFile, damaged, readArchive } from './archive-reader.ts'
import { BackupManifest, ENTRIES, FORMAT, Header, Secret } from './manifest.ts'

/** The entries that describe an archive. */
export interface Contents {
  manifest: BackupManifest
  /** The secrets that sign tokens and encrypt stored secrets, for `parseSecrets`; undefined if they were left out. */
  authSecret: string | undefined
}

/**
 * Reads the whole archive and compares the checksums. Rows are not kept in memory.
 * @throws OperatorError when it is damaged, or of a newer format.
 */
export const verifyArchive = async (file: ArchiveFile): Promise<Contents> => {
  const { path } = file
  const sums = createHash('sha256')
  let isFirst = true
  let expected: string | undefined
  let manifest: BackupManifest | undefined
  let authSecret: string | undefined
  let blobs = 0
  const names = new Set<string>()
  for await (const entry of readArchive(file)) {
    const { name } = entry
    const hash = createHash('sha256')
    if (names.has(name)) throw damaged(path, `it has ${JSON.stringify(name)} twice`)
    names.add(name)
    if (isFirst && name !== ENTRIES.header)
      throw new OperatorError(`${path} is not a backup of svc`)
    isFirst = false
    if (name === ENTRIES.checksums) {
      for await (const chunk of entry.content) hash.update(chunk)
      expected = hash.digest('hex')
      continue
    }
    if (isPart(name)) for await (const chunk of entry.content) hash.update(chunk)
    else {
      const bytes = await entry.bytes()
      hash.update(bytes)
      if (name === ENTRIES.header) checkHeader(path, bytes)
      else if (name === ENTRIES.manifest) manifest = parse(path, name, BackupManifest, bytes)
      else if (name === ENTRIES.secret) authSecret = check(path, name, Secret, bytes.toString())
      else if (isBlob(name)) blobs++
      else throw damaged(path, `${JSON.stringify(name)} is not the name of an entry of a backup`)
    }
    sums.update(`${hash.digest('hex')}  ${name}\n`)
  }
  if (expected === undefined || manifest === undefined) throw damaged(path, 'its end is missing')
  if (sums.digest('hex') !== expected) throw damaged(path, 'its checksums differ from its content')
  const { hasSecret = true } = manifest
  if (hasSecret !== (authSecret !== undefined))
    throw damaged(path, `it has ${hasSecret ? 'no' : 'a'} secret, and its manifest says otherwise`)
  if (blobs !== manifest.blobs)
    throw damaged(path, `it has ${blobs} files, and its manifest says ${manifest.blobs}`)
  return { manifest, authSecret }
}

const checkHeader = (path: string, bytes: Buffer): void => {
  const { format, svc } = parse(path, ENTRIES.header, Header, bytes)
  if (format > FORMAT)
    throw new OperatorError(
      `${path} has the format ${format}, and this svc reads up to ${FORMAT}; use svc ${svc} or newer`,
    )
}

const isBlob = (name: string): boolean =>
  name.startsWith(ENTRIES.blobs) && isBlobName(name.slice(ENTRIES.blobs.length))

/** Whether an entry has rows of a table. */
const isPart = (name: string): boolean => /^tables\/[a-z_]+\.[a-z_]+\/[1-9]\d*$/.test(name)

const parse = <T extends TSchema>(
  path: string,
  name: string,
  schema: T,
  bytes: Buffer,
): Static<T> => {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString())
  } catch (cause) {
    throw damaged(path, `${name} is not JSON`, cause)
  }
  return check(path, name, schema, value)
}

const check = <T extends TSchema>(
  path: string,
  name: string,
  schema: T,
  value: unknown,
): Static<T> => {
  const error = Value.Errors(schema, value).First()
  if (error) throw damaged(path, `${name}${error.path}: ${error.message}`)
  return value as Static<T>
}
