import { Transform, type TransformCallback } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** A longer line is passed on before its end, so that the transport's own limit closes the connection. */
const MAX_LINE_CHARS = 16 * 1024 * 1024

/** Passes on lines that are JSON, and reports others, which the SDK's transport drops silently. */
export class JsonLines extends Transform {
  readonly #decoder = new StringDecoder('utf8')
  #parts: string[] = []
  #length = 0

  constructor(readonly onInvalid: () => void) {
    super()
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const text = this.#decoder.write(chunk)
    this.#append(text)
    if (text.includes('\n')) this.#passLines()
    else if (this.#length > MAX_LINE_CHARS) this.push(this.#take())
    done()
  }

  #passLines(): void {
    const lines = this.#take().split('\n')
    this.#append(lines.pop() ?? '')
    for (const line of lines) {
      if (isJson(line)) this.push(`${line}\n`)
      else if (line.trim() !== '') this.onInvalid()
    }
  }

  #append(text: string): void {
    this.#parts.push(text)
    this.#length += text.length
  }

  #take(): string {
    const text = this.#parts.join('')
    this.#parts = []
    this.#length = 0
    return text
  }
}

const isJson = (line: string): boolean => {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}
