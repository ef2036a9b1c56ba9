import { stat } from 'node:fs/promises'
import { importMemories } from '../../shared/contract/transfer.ts'
import type { ImportFormat } from '../../shared/schemas/transfer.ts'
import { type Context, signedIn } from '../context.ts'
import { CliError } from '../errors.ts'
import { given } from '../given.ts'
import { oneLine } from '../output.ts'

export interface ImportArgs {
  path: string
  format?: ImportFormat
}

/** How many of the lines that could not be taken are shown. */
const SHOWN = 20

/** Sends a file, or what is piped in, to be remembered; says what came of it. */
export const importFrom = async (context: Context, args: ImportArgs): Promise<void> => {
  const { io } = context
  const client = signedIn(context)
  const { bytes, size } = await openInput(args.path)
  const report = await client.call(importMemories, {
    file: counted(bytes, (sent) => io.progress(progressOf(sent, size))),
    query: given({ format: args.format }),
  })
  const { imported, deduplicated, failed, failed_count } = report
  if (context.json) io.printJson(report)
  else io.print(`${imported} imported, ${deduplicated} there already, ${failed_count} failed`)
  if (failed_count === 0) return
  if (!context.json)
    for (const { line, detail } of failed.slice(0, SHOWN)) io.say(`${line}: ${oneLine(detail)}`)
  throw new CliError(
    `${failed_count === 1 ? '1 line or element' : `${failed_count} lines or elements`} could not be taken.`,
    'Mend them and import the file again: what is there already is not stored twice.',
  )
}

const openInput = async (
  path: string,
): Promise<{ bytes: ReadableStream<Uint8Array>; size: number | undefined }> => {
  if (path === '-') return { bytes: Bun.stdin.stream(), size: undefined }
  const found = await stat(path).catch((cause) => {
    throw new CliError(`Cannot read ${path}: ${cause.message}`, 'Name another file.', {
      kind: 'usage',
      cause,
    })
  })
  if (!found.isFile())
    throw new CliError(`${path} is not a file.`, 'Name a file, or - for what is piped in.', {
      kind: 'usage',
    })
  return { bytes: Bun.file(path).stream(), size: found.size }
}

const MEBIBYTE = 2 ** 20

const progressOf = (sent: number, size: number | undefined): string => {
  const megabytes = (bytes: number) => (bytes / MEBIBYTE).toFixed(1)
  if (size !== undefined && sent >= size) return 'Sent; waiting for the rest to be stored…'
  return `${megabytes(sent)}${size === undefined ? '' : ` of ${megabytes(size)}`} MiB…`
}

/** Tells how much has gone, chunk by chunk. */
const counted = (
  bytes: ReadableStream<Uint8Array>,
  note: (sent: number) => void,
): ReadableStream<Uint8Array> => {
  const reader = bytes.getReader()
  let sent = 0
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) return controller.close()
      sent += value.byteLength
      note(sent)
      controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
