import { open, rename, rm } from 'node:fs/promises'
import { exportMemories } from '../../shared/contract/transfer.ts'
import type { ExportedMemory } from '../../shared/schemas/transfer.ts'
import { type Context, signedIn } from '../context.ts'
import { CliError } from '../errors.ts'
import { interruptible } from '../interrupt.ts'
import { jsonLine } from '../output.ts'

/** So many lines are gathered before they are written. */
const GATHERED = 500

/** Writes all memories to a file, or to stdout, one a line. */
export const exportTo = async (context: Context, path: string | undefined): Promise<void> => {
  const client = signedIn(context)
  await interruptible(async (signal) => {
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
    await writeLines(memories, (text) => io.write(text))
    return
  }
  const count = await writeFile(path, memories, (done) => io.progress(`${amount(done)}…`))
  if (json) io.printJson({ file: path, memories: count })
  else io.note(`${amount(count)} in ${path}.`)
}

const amount = (count: number) =>
  count === 1 ? '1 memory' : `${count.toLocaleString('en')} memories`

/** What is there under the name is replaced only by a file that is whole. Others cannot read it. */
const writeFile = async (
  path: string,
  memories: AsyncIterable<ExportedMemory>,
  note: (done: number) => void,
): Promise<number> => {
  const partial = `${path}.part`
  const unwritable = (cause: Error) => {
    throw new CliError(`Cannot write ${path}: ${cause.message}`, 'Name another file.', { cause })
  }
  const file = await open(partial, 'w', 0o600).catch(unwritable)
  try {
    const count = await writeLines(
      memories,
      async (text) => void (await file.writeFile(text).catch(unwritable)),
      note,
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
  write: (text: string) => Promise<void>,
  note = (_done: number): void => {},
): Promise<number> => {
  let lines: string[] = []
  let count = 0
  const flush = async () => {
    if (lines.length) await write(`${lines.join('\n')}\n`)
    lines = []
    note(count)
  }
  for await (const memory of memories) {
    lines.push(jsonLine(memory))
    count++
    if (lines.length === GATHERED) await flush()
  }
  await flush()
  return count
}
