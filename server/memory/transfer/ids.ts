import { createHash } from 'node:crypto'

/**
 * The stored id of a memory with an id in a file, derived from both ids: a second import finds the
 * memory, and references may precede it. The time and counter of a UUIDv7 are kept, so that stored ids
 * sort as those of the file.
 */
export const importedId = (ownerId: string, fileId: string): string => {
  const source = fileId.toLowerCase()
  const hash = createHash('sha256').update(`${ownerId} ${source}`).digest('hex')
  const start = source[14] === '7' ? source.slice(0, 18) : '00000000-0000-7000'
  // Variant 2 (RFC 9562, section 5.7), with a hash in place of the random bits.
  const variant = '89ab'[Number.parseInt(hash[0] ?? '', 16) % 4]
  return `${start}-${variant}${hash.slice(1, 4)}-${hash.slice(4, 16)}`
}
