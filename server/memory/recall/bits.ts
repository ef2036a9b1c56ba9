/** A bit string of PostgreSQL as bytes, the first bit highest. */
export const packBits = (bits: string): Uint8Array => {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8))
  for (let i = 0; i < bits.length; i++)
    if (bits[i] === '1') bytes[i >> 3] = (bytes[i >> 3] ?? 0) | (0x80 >> (i & 7))
  return bytes
}

/** Copies bytes from `start` to `end` into words of 32 bits, from `at` on. */
export const copyToWords = (
  bytes: Uint8Array,
  start: number,
  end: number,
  words: Uint32Array,
  at: number,
): void => {
  for (let i = start; i < end; i += 4, at++)
    words[at] =
      (bytes[i] ?? 0) |
      (i + 1 < end ? (bytes[i + 1] ?? 0) << 8 : 0) |
      (i + 2 < end ? (bytes[i + 2] ?? 0) << 16 : 0) |
      (i + 3 < end ? (bytes[i + 3] ?? 0) << 24 : 0)
}

/** The number of ones in 32 bits (Warren, Hacker's Delight, 2012, section 5-1). */
export const bitCount = (bits: number): number => {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
