import { open, rename, rm } from 'node:fs/promises'
import { exportMemories } from '../../shared/contract/transfer.ts'
import type { ExportedMemory } from '../../shared/schemas/transfer.ts'
import { type Context, signedInClient } from '../context.ts'
import { formatMemoryCount } from '../count.ts'
import { CliError } from '../errors.ts'
import { runInterruptible } from '../interrupt.ts'
import { jsonLine } from '../output.ts'

/** Number of lines per write. */
const LINES_PER_WRITE = 500

/** Writes all memories to a file or stdout, one per line. */
export const runExport = async (context: Context, path: string | undefined): Promise<void> => {
  const client = signedInClient(context)
  await runInterruptible(async (signal) => {
    const memories = await client.call(exportMemories, { signal })
    await writeTo(context, memories, path)
  })
}

const writeTo = async (
  { io, json }: Context,
  memories: AsyncIterable<ExportedMemory>,
  path: string | undefined,
): Promise<void> => {
  if (path === undefined || path === '-') {
    await writeLines(memories, { write: io.write, lineOf: io.streamedJson })
    return
  }
  const count = await writeFile(path, memories, (done) =>
    io.showProgress(`${formatMemoryCount(done)}…`),
  )
  if (json) io.printJson({ file: path, memories: count })
  else io.info(`Exported ${formatMemoryCount(count)} to ${path}.`)
}

/** Replaces an existing file only when the new one is complete. The file is private to the user. */
const writeFile = async (
  path: string,
  memories: AsyncIterable<ExportedMemory>,
  onProgress: (done: number) => void,
): Promise<number> => {
  const partial = `${path}.part`
  const unwritable = (cause: Error) => {
    throw new CliError(
      `Cannot write ${path}: ${cause.message}`,
      'Check the path and its permissions.',
      { cause },
    )
  }
  const file = await open(partial, 'w', 0o600).catch(unwritable)
  try {
    const count = await writeLines(memories, {
      write: async (text) => void (await file.writeFile(text).catch(unwritable)),
      lineOf: (memory) => `${jsonLine(memory)}\n`,
      onProgress,
    })
    await file.sync().catch(unwritable)
    await file.close()
    await rename(partial, path).catch(unwritable)
    return count
  } catch (error) {
    await file.close().catch(() => {})
    await rm(partial, { force: true })
    throw error
  }
}

interface LineWriter {
  write: (text: string) => Promise<void>
  lineOf: (memory: ExportedMemory) => string
  onProgress?: (done: number) => void
}

const writeLines = async (
  memories: AsyncIterable<ExportedMemory>,
  { write, lineOf, onProgress }: LineWriter,
): Promise<number> => {
  let lines: string[] = []
  let count = 0
  const flush = async () => {
    if (lines.length) await write(lines.join(''))
    lines = []
    onProgress?.(count)
  }
  for await (const memory of memories) {
    lines.push(lineOf(memory))
    count++
    if (lines.length === LINES_PER_WRITE) await flush()
  }
  await flush()
  return count
}
