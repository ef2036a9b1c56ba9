import { createHash } from 'node:crypto'
import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { isBlobName } from '../../platform/blobs.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { damaged, readArchive } from './archive-reader.ts'
import { ENTRIES, FORMAT, Header, Manifest, Secret } from './manifest.ts'

/** The entries that describe an archive. */
export interface Contents {
  manifest: Manifest
  /** The secret that signs tokens and encrypts stored secrets. */
  authSecret: string
}

/**
 * Reads the whole archive and compares the checksums. Rows are not kept in memory.
 * @throws OperatorError when it is damaged, or of a newer format.
 */
export const verifyArchive = async (path: string): Promise<Contents> => {
  const sums = createHash('sha256')
  let isFirst = true
  let expected: string | undefined
  let manifest: Manifest | undefined
  let authSecret: string | undefined
  for await (const entry of readArchive(path)) {
    const { name } = entry
    const hash = createHash('sha256')
    if (isFirst && name !== ENTRIES.header)
      throw new OperatorError(`${path} is not a backup of svc`)
    isFirst = false
    if (name === ENTRIES.checksums) {
      for await (const chunk of entry.content) hash.update(chunk)
      expected = hash.digest('hex')
      continue
    }
    if (name.startsWith(ENTRIES.tables)) for await (const chunk of entry.content) hash.update(chunk)
    else {
      const bytes = await entry.bytes()
      hash.update(bytes)
      if (name === ENTRIES.header) checkHeader(path, bytes)
      else if (name === ENTRIES.manifest) manifest = parse(path, name, Manifest, bytes)
      else if (name === ENTRIES.secret) authSecret = check(path, name, Secret, bytes.toString())
      else if (name.startsWith(ENTRIES.blobs)) checkBlobName(path, name)
    }
    sums.update(`${hash.digest('hex')}  ${name}\n`)
  }
  if (expected === undefined || manifest === undefined) throw damaged(path, 'its end is missing')
  if (sums.digest('hex') !== expected) throw damaged(path, 'its checksums differ from its content')
  if (authSecret === undefined) throw damaged(path, 'it has no secret')
  return { manifest, authSecret }
}

const checkHeader = (path: string, bytes: Buffer): void => {
  const { format, svc } = parse(path, ENTRIES.header, Header, bytes)
  if (format > FORMAT)
    throw new OperatorError(
      `${path} has the format ${format}, and this svc reads up to ${FORMAT}; use svc ${svc} or newer`,
    )
}

const checkBlobName = (path: string, name: string): void => {
  if (!isBlobName(name.slice(ENTRIES.blobs.length)))
    throw damaged(path, `${JSON.stringify(name)} is not the name of a file`)
}

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
