import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import { ApiError } from './error.ts'

/** A file as it was sent, with the type and the name that its part declares. */
export interface Upload {
  type: string
  /** Empty when it has none. */
  name: string
  bytes: Uint8Array
  /** Cut off: there was more than the endpoint takes. */
  tooLarge: boolean
}

/**
 * Reads the file of a multipart body without holding more than the endpoint takes. Bun's own
 * `formData()` guesses a part's type from its file name, so the part is read as it stands.
 * @throws ApiError 422 when the body is no form, or the field is missing.
 */
export const readUpload = async (request: Request, { upload }: Endpoint): Promise<Upload> => {
  if (!upload) throw new Error('this endpoint takes no file')
  const type = request.headers.get('content-type') ?? ''
  if (!request.body || !/^multipart\/form-data;.*boundary=[^;\s]/i.test(type))
    throw missing(upload.field)
  const { promise, resolve, reject } = Promise.withResolvers<Upload | undefined>()
  const parser = new Busboy({
    headers: { 'content-type': type } as BusboyHeaders,
    limits: { files: 1, fields: 10, fileSize: upload.maxBytes + 1, fieldSize: 10_000 },
  })
  let found: Upload | undefined
  parser.on('file', (field, stream, name, _encoding, declared) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    // Without a listener of its own, a body that breaks off would end the process.
    stream.on('error', () => reject(missing(upload.field)))
    stream.on('end', () => {
      const bytes = Buffer.concat(chunks)
      if (field === upload.field)
        found = {
          type: declared,
          name: name ?? '',
          bytes,
          tooLarge: bytes.byteLength > upload.maxBytes,
        }
    })
  })
  parser.on('finish', () => resolve(found))
  parser.on('error', () => reject(missing(upload.field)))
  Readable.fromWeb(request.body as ReadableStream)
    .on('error', reject)
    .pipe(parser)
  const file = await promise
  if (!file) throw missing(upload.field)
  return file
}

const missing = (field: string) =>
  new ApiError(422, [{ loc: ['body', field], type: 'missing', msg: 'Field required' }])
