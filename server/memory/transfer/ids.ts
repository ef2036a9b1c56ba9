import { createHash } from 'node:crypto'

/**
 * The id under which an owner has a memory that has another id in a file. It is the same each time,
 * so that a memory which is imported again is known, and so that one may refer to another that comes
 * later in the file. It sorts as the file's own id does: by what a UUIDv7 begins with, the time and a
 * counter.
 */
export const importedId = (ownerId: string, theirId: string): string => {
  const theirs = theirId.toLowerCase()
  const hash = createHash('sha256').update(`${ownerId} ${theirs}`).digest('hex')
  const start = theirs[14] === '7' ? theirs.slice(0, 18) : '00000000-0000-7000'
  // Variant 2 (RFC 9562, section 5.7), and a hash for what is random there.
  const variant = '89ab'[Number.parseInt(hash[0] ?? '', 16) % 4]
  return `${start}-${variant}${hash.slice(1, 4)}-${hash.slice(4, 16)}`
}
