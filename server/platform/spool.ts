import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The most characters in memory before they are written to the file. */
const BUFFER_CHARS = 1024 * 1024
const READ_BYTES = 256 * 1024

/** Stores lines that are written fast and read later by a slow reader. */
export type Spool = ReturnType<typeof createSpool>

/**
 * Keeps up to `BUFFER_CHARS` in memory and the rest in a temporary file. The file is unlinked once it is
 * open, so a crash leaves no file.
 */
export const createSpool = () => {
  let buffer: string[] = []
  let buffered = 0
  let file: FileHandle | undefined

  const flush = async () => {
    file ??= await openUnlinked()
    await file.appendFile(`${buffer.join('\n')}\n`)
    buffer = []
    buffered = 0
  }

  return {
    /** @param line must not contain a line break. */
    async write(line: string): Promise<void> {
      buffer.push(line)
      buffered += line.length
      if (buffered >= BUFFER_CHARS) await flush()
    },
    async *lines(): AsyncGenerator<string> {
      if (file) yield* linesIn(file)
      yield* buffer
    },
    async [Symbol.asyncDispose]() {
      await file?.close()
    },
  }
}

const openUnlinked = async (): Promise<FileHandle> => {
  const directory = await mkdtemp(join(tmpdir(), 'svc-'))
  try {
    return await open(join(directory, 'spool'), 'wx+', 0o600)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function* linesIn(file: FileHandle): AsyncGenerator<string> {
  const bytes = Buffer.alloc(READ_BYTES)
  const decoder = new TextDecoder()
  let rest = ''
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(bytes, 0, READ_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    const lines = (rest + decoder.decode(bytes.subarray(0, bytesRead), { stream: true })).split(
      '\n',
    )
    rest = lines.pop() ?? ''
    yield* lines
  }
}
