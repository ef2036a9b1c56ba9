import { Readable } from 'node:stream'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import { budgets } from '../budgets.ts'
import { httpError } from './errors.ts'
import { asAnswer, createParser, missingField } from './multipart.ts'
import { type BodyPace, receive } from './receive.ts'

/** An uploaded file with the type and the name that its part declares. */
export interface Upload {
  type: string
  /** Empty when the part declares none. */
  name: string
  bytes: Uint8Array
  /** The file is larger than the endpoint allows; `bytes` is truncated. */
  tooLarge: boolean
}

/**
 * Reads the file of a multipart body. Buffers at most one byte more than the endpoint allows. Bun's
 * `formData()` guesses a part's type from its file name, so this parser reads the declared type.
 * @throws ApiError 422 when the body is not a form, the form is malformed or the field is missing; 400
 * when the body ends early or arrives too slowly.
 */
export const readUpload = async (
  request: Request,
  { upload }: Endpoint,
  pace: BodyPace,
): Promise<Upload> => {
  if (!upload) throw new Error('the endpoint declares no upload')
  const contentType = request.headers.get('content-type') ?? ''
  if (!request.body || !/^multipart\/form-data;.*boundary=[^;\s]/i.test(contentType))
    throw missingField(upload.field)
  const { promise, resolve, reject } = Promise.withResolvers<Upload | undefined>()
  const fail = (error: unknown) => reject(asAnswer(error))
  const maxBytes = Math.min(upload.maxBytes, budgets.upload.bytes)
  const parser = createParser(contentType, {
    files: budgets.upload.count,
    fileSize: maxBytes + 1,
  })
  let found: Upload | undefined
  parser.on('file', (field, stream, name, _encoding, declared) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    // Without this listener, a body that ends early would crash the process.
    stream.on('error', fail)
    stream.on('end', () => {
      const bytes = Buffer.concat(chunks)
      if (field === upload.field)
        found = {
          type: declared,
          name: name ?? '',
          bytes,
          tooLarge: bytes.byteLength > maxBytes,
        }
    })
  })
  parser.on('finish', () => resolve(found))
  parser.on('error', fail)
  Readable.from(atMost(receive(request, pace)))
    .on('error', fail)
    .pipe(parser)
  const file = await promise
  if (!file) throw missingField(upload.field)
  return file
}

/** A form may have any number of parts that are not read. @throws ApiError 413. */
async function* atMost(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { bytes } = budgets.uploadForm
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > bytes) throw httpError('body_too_large', bytes)
    yield chunk
  }
}
