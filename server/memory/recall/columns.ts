type Column = Float64Array | Int32Array | Uint32Array | Uint16Array | Int8Array | Uint8Array

const MIN_CAPACITY = 64

/** The column, or a copy of it with room for at least `length` values: it grows by half. */
export const withCapacity = <T extends Column>(column: T, length: number): T => {
  if (column.length >= length) return column
  const create = column.constructor as new (length: number) => T
  const larger = new create(Math.max(length, Math.ceil(column.length * 1.5), MIN_CAPACITY))
  larger.set(column)
  return larger
}

/** The number of ones in 32 bits (Warren, Hacker's Delight, 2012, section 5-1). */
export const bitCount = (bits: number): number => {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
