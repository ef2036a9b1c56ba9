/** PostgreSQL counts from the year 2000. */
const EPOCH_MICROSECONDS = Date.UTC(2000) * 1_000

/**
 * Reads rows as `record_send` of PostgreSQL writes them: the number of values, and then the type, the length and the
 * bytes of each. It takes a third of the time of JSON.
 */
export class RecordReader {
  readonly #bytes: Buffer
  readonly #view: DataView
  #at = 0

  constructor({ buffer, byteOffset, byteLength }: Uint8Array) {
    this.#bytes = Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
    this.#view = new DataView(buffer, byteOffset, byteLength)
  }

  /** Begins the next row, if there is one. */
  next(): boolean {
    if (this.#at >= this.#bytes.length) return false
    this.#at += 4
    return true
  }

  /** A value of 4 or 8 bytes; 0 where it is null. */
  number(): number {
    const length = this.#begin()
    const from = this.#at
    if (length < 0) return 0
    this.#at += length
    const high = this.#view.getInt32(from)
    return length === 4 ? high : high * 2 ** 32 + this.#view.getUint32(from + 4)
  }

  /** In microseconds. */
  time(): number {
    return this.number() + EPOCH_MICROSECONDS
  }

  text(): string | null {
    const length = this.#begin()
    if (length < 0) return null
    this.#at += length
    return this.#bytes.toString('utf8', this.#at - length, this.#at)
  }

  /** A text as UTF-8. */
  utf8(): Uint8Array | null {
    const length = this.#begin()
    if (length < 0) return null
    this.#at += length
    const { buffer, byteOffset } = this.#bytes
    return new Uint8Array(buffer, byteOffset + this.#at - length, length)
  }

  /** @returns the length of the next value, at which it begins; -1 where it is null. */
  #begin(): number {
    const length = this.#view.getInt32(this.#at + 4)
    this.#at += 8
    return length
  }
}
