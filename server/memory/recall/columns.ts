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
