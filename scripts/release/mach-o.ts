import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The first bytes of a file with the code of several processors, of which each entry below has 20 bytes. */
const UNIVERSAL = 0xcafebabe
const HEADER_BYTES = 8
const ENTRY_BYTES = 20
const ARM64 = 0x0100000c

/** The part of a universal file for arm64, or undefined for another file. */
const arm64PartOf = (file: Buffer): Buffer | undefined => {
  if (file.length < HEADER_BYTES || file.readUInt32BE(0) !== UNIVERSAL) return undefined
  const count = file.readUInt32BE(4)
  for (let at = HEADER_BYTES; at < HEADER_BYTES + count * ENTRY_BYTES; at += ENTRY_BYTES) {
    if (file.readUInt32BE(at) !== ARM64) continue
    const start = file.readUInt32BE(at + 8)
    return file.subarray(start, start + file.readUInt32BE(at + 12))
  }
  return undefined
}

/** Removes the code for other processors from the files of a directory. Each part has its own signature. */
export const keepArm64 = (directory: string): void => {
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const path = join(directory, name)
    if (!lstatSync(path).isFile()) continue
    const part = arm64PartOf(readFileSync(path))
    if (part) writeFileSync(path, part)
  }
}
