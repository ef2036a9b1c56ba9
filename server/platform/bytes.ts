/**
 * Reads a stream of bytes, and buffers at most one chunk more than `maxBytes`.
 * @throws what `tooLarge` returns, as soon as the stream is larger.
 */
export const collectBytes = async (
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of source) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
