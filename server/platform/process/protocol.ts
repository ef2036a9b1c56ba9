/**
 * The protocol between a pool and its children. A request is two lengths (unsigned, 32 bits, big
 * endian), a JSON header and bytes. A response is lines of JSON, the last of which is an `End`.
 */
export interface Task {
  header: unknown
  bytes: Uint8Array
}

/** One line of a response. */
export type ResponseLine = { item: unknown } | End
type End = { end: true } | { failed: string; isTooLarge: boolean }

const PREFIX_BYTES = 8

export const requestHead = ({ header, bytes }: Task): Uint8Array => {
  const text = Buffer.from(JSON.stringify(header))
  const prefix = Buffer.alloc(PREFIX_BYTES)
  prefix.writeUInt32BE(text.byteLength, 0)
  prefix.writeUInt32BE(bytes.byteLength, 4)
  return Buffer.concat([prefix, text])
}

/** Reads exactly `size` bytes of a stream at a time. */
const createByteReader = (stream: AsyncIterable<Uint8Array>) => {
  const chunks = stream[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array()
  /** @returns undefined when the stream ends early. */
  return async (size: number): Promise<Uint8Array | undefined> => {
    const bytes = new Uint8Array(size)
    let filled = 0
    while (filled < size) {
      if (rest.byteLength === 0) {
        const { done, value } = await chunks.next()
        if (done) return undefined
        rest = value
      }
      const part = rest.subarray(0, size - filled)
      bytes.set(part, filled)
      filled += part.byteLength
      rest = rest.subarray(part.byteLength)
    }
    return bytes
  }
}

async function* readRequests(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Task> {
  const readBytes = createByteReader(stream)
  for (;;) {
    const prefix = await readBytes(PREFIX_BYTES)
    if (!prefix) return
    const view = new DataView(prefix.buffer)
    const header = await readBytes(view.getUint32(0))
    const bytes = await readBytes(view.getUint32(4))
    if (!header || !bytes) return
    yield { header: JSON.parse(new TextDecoder().decode(header)), bytes }
  }
}

/** Reads the lines of a child's responses, which may arrive in chunks of any size. */
export async function* readLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<ResponseLine> {
  const decoder = new TextDecoder()
  let parts: string[] = []
  for await (const chunk of stream) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
    parts.push(first)
    for (const other of others) {
      yield JSON.parse(parts.join('')) as ResponseLine
      parts = [other]
    }
  }
}

/**
 * Runs the tasks of a pool in order; called by the entry file of its children. The process exits when
 * its input ends, that is, with the server.
 */
export const serveTasks = async (
  work: (header: unknown, bytes: Uint8Array) => AsyncIterable<unknown> | Iterable<unknown>,
): Promise<void> => {
  const output = Bun.stdout.writer()
  const send = async (line: ResponseLine) => {
    output.write(`${JSON.stringify(line)}\n`)
    await output.flush()
  }
  // Standard output is for responses, so a library must not print to it.
  console.log = console.info = console.warn = console.debug = () => {}
  for await (const { header, bytes } of readRequests(Bun.stdin.stream())) {
    try {
      for await (const item of work(header, bytes)) await send({ item })
      await send({ end: true })
    } catch (error) {
      // A RangeError (memory or stack exhausted) is due to the input; any other error is a bug.
      await send({ failed: String(error), isTooLarge: error instanceof RangeError })
    }
  }
  process.exit(0)
}
