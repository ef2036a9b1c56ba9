import { stat } from 'node:fs/promises'
import { usageError } from './errors.ts'
import { failRead, pathIn } from './input.ts'
import type { Runtime } from './runtime.ts'

/** The bytes of a file, or of stdin for `-`. */
export const openInput = async (
  typed: string,
  runtime: Runtime,
): Promise<{ bytes: ReadableStream<Uint8Array<ArrayBuffer>>; size: number | undefined }> => {
  if (typed === '-') return { bytes: runtime.stdin.stream(), size: undefined }
  const path = pathIn(runtime, typed)
  const found = await stat(path).catch(failRead({ typed, path }))
  if (!found.isFile()) throw usageError(`${typed} is not a file.`, 'Name a file, or - for stdin.')
  return { bytes: Bun.file(path).stream(), size: found.size }
}

const MEBIBYTE = 2 ** 20

/** @param size undefined for stdin. */
export const formatProgress = (sent: number, size: number | undefined): string => {
  const megabytes = (bytes: number) => (bytes / MEBIBYTE).toFixed(1)
  if (size !== undefined && sent >= size) return 'Sent. Waiting for the server to store the rest …'
  return `${megabytes(sent)}${size === undefined ? '' : ` of ${megabytes(size)}`} MiB …`
}

/** Reports the number of bytes sent. */
export const countBytes = (
  bytes: ReadableStream<Uint8Array<ArrayBuffer>>,
  onProgress: (sent: number) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const reader = bytes.getReader()
  let sent = 0
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) return controller.close()
      sent += value.byteLength
      onProgress(sent)
      controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
