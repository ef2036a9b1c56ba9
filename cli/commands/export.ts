import { open, rename, rm } from 'node:fs/promises'
import { type ExportedMemory, exportMemories } from '../../shared/contract/transfer.ts'
import { type Context, signedInClient } from '../context.ts'
import { CliError } from '../errors.ts'
import { formatMemoryCount } from '../format.ts'
import { pathIn, systemMessage, type TypedPath } from '../input.ts'
import { runInterruptible } from '../interrupt.ts'
import { jsonLine } from '../output.ts'

/** Number of lines per write. */
const LINES_PER_WRITE = 500

/** Writes all memories to a file or stdout, one per line. */
export const runExport = async (context: Context, { file }: { file?: string }): Promise<void> => {
  const client = signedInClient(context)
  await runInterruptible(context.io, async (signal) => {
    const memories = await client.call(exportMemories, { signal })
    await writeTo(context, memories, file)
  })
}

const writeTo = async (
  { io, json }: Context,
  memories: AsyncIterable<ExportedMemory>,
  path: string | undefined,
): Promise<void> => {
  if (path === undefined || path === '-') {
    await writeLines(memories, (batch) => io.write(io.streamedJson(batch)))
    return
  }
  const target = { typed: path, path: pathIn(io.runtime, path) }
  const count = await writeFile(target, memories, (done) =>
    io.showProgress(`${formatMemoryCount(done)} …`),
  )
  if (json) io.printJson({ file: path, memories: count })
  else io.info(`Exported ${formatMemoryCount(count)} to ${path}.`)
}

/** Replaces an existing file only when the new one is complete. The file is private to the user. */
const writeFile = async (
  target: TypedPath,
  memories: AsyncIterable<ExportedMemory>,
  onProgress: (done: number) => void,
): Promise<number> => {
  const { typed, path } = target
  const partial = `${path}.part`
  const unwritable = (cause: Error) => {
    throw new CliError(
      `Cannot write ${typed}: ${systemMessage(cause, target)}`,
      'Check the path and its permissions.',
      { cause },
    )
  }
  const file = await open(partial, 'w', 0o600).catch(unwritable)
  try {
    const toLines = (batch: ExportedMemory[]) => batch.map((each) => `${jsonLine(each)}\n`).join('')
    const count = await writeLines(
      memories,
      async (batch) => void (await file.writeFile(toLines(batch)).catch(unwritable)),
      onProgress,
    )
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

const writeLines = async (
  memories: AsyncIterable<ExportedMemory>,
  write: (batch: ExportedMemory[]) => Promise<void>,
  onProgress = (_done: number): void => {},
): Promise<number> => {
  let batch: ExportedMemory[] = []
  let count = 0
  const flush = async () => {
    if (batch.length) await write(batch)
    count += batch.length
    batch = []
    onProgress(count)
  }
  for await (const memory of memories) {
    batch.push(memory)
    if (batch.length === LINES_PER_WRITE) await flush()
  }
  await flush()
  return count
}
