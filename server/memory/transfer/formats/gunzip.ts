import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { budgets } from '../../../platform/budgets.ts'

/** The rest of the file cannot be read. */
export class DamagedFile extends Error {}

/** Decompresses a file. @throws DamagedFile when it is damaged, or expands more than any export does. */
export async function* gunzip(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { bytes, ratio } = budgets.importGzip
  let received = 0
  let expanded = 0
  async function* counted() {
    for await (const chunk of file) {
      received += chunk.byteLength
      yield chunk
    }
  }
  const source = Readable.from(counted())
  const decompressed = createGunzip()
  // Connection errors reach the reader; errors of gunzip are damage of the file.
  source.on('error', (error) => decompressed.destroy(error))
  try {
    for await (const chunk of source.pipe(decompressed)) {
      expanded += chunk.byteLength
      if (expanded > bytes + ratio * received)
        throw new DamagedFile(`The compressed file expands more than ${ratio} times`)
      yield chunk
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_'))
      throw new DamagedFile('The compressed file is damaged or incomplete')
    throw error
  } finally {
    source.destroy()
  }
}
