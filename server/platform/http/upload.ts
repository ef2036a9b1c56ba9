import { Readable } from 'node:stream'
import { Busboy, type BusboyConfig, type BusboyHeaders } from '@fastify/busboy'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import { budgets } from '../budgets.ts'
import { type BodyPace, receive } from './body.ts'
import { ApiError, httpError } from './error.ts'

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

/** @throws ApiError 422 for a content type without a usable boundary. */
const createParser = (
  contentType: string,
  limits: BusboyConfig['limits'] = {},
): InstanceType<typeof Busboy> => {
  try {
    const headers = { 'content-type': contentType } as BusboyHeaders
    const { bytes, count } = budgets.formFields
    return new Busboy({ headers, limits: { ...limits, fields: count, fieldSize: bytes } })
  } catch (cause) {
    throw malformed(cause)
  }
}

/** Converts an error of a parser or its source to an ApiError. */
const asAnswer = (error: unknown): ApiError =>
  error instanceof ApiError ? error : malformed(error)

const malformed = (cause: unknown) => httpError('malformed_form', cause)

const missingField = (field: string) => httpError('missing_form_field', field)

/** Idle timeout of a client that still sends after an early response. */
const IDLE_SECONDS = 30

interface Timer {
  timeout(request: Request, seconds: number): void
}

/**
 * Returns the bytes of a file as they arrive, without decompression. The client waits while the reader
 * does not read.
 * @throws ApiError 422 for a body of another type, or a form without the field. Reading throws 400 when
 * the bytes end early or arrive too slowly, and 422 when the form is malformed.
 */
export const readFile = async (
  request: Request,
  { file }: Endpoint,
  pace: BodyPace,
  timer: Timer | null,
): Promise<AsyncIterable<Uint8Array>> => {
  if (!file) throw new Error('the endpoint declares no file')
  const contentType = request.headers.get('content-type') ?? ''
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  const bytes = withoutIdleTimeout(request, receive(request, pace), timer)
  if (type === 'multipart/form-data') return fromForm(bytes, contentType, file.field)
  if (file.types.includes(type)) return bytes
  const types = [...file.types, 'multipart/form-data'].join(', ')
  throw httpError('content_type_not_accepted', types)
}

/** `pace` limits the client. Bun's idle timeout would also count the time that storing takes. */
async function* withoutIdleTimeout(
  request: Request,
  bytes: AsyncIterable<Uint8Array>,
  timer: Timer | null,
): AsyncGenerator<Uint8Array> {
  timer?.timeout(request, 0)
  let isComplete = false
  try {
    yield* bytes
    isComplete = true
  } finally {
    if (!isComplete) timer?.timeout(request, IDLE_SECONDS)
  }
}

/** Other fields of the form are ignored. */
const fromForm = async (
  bytes: AsyncIterable<Uint8Array>,
  contentType: string,
  field: string,
): Promise<AsyncIterable<Uint8Array>> => {
  if (!/boundary=[^;\s]/i.test(contentType)) throw missingField(field)
  const parser = createParser(contentType)
  const { promise, resolve, reject } = Promise.withResolvers<Readable>()
  const source = Readable.from(bytes)
  parser.on('file', (name, stream) => {
    if (name !== field) return stream.resume()
    // Otherwise the reader of the file would wait forever when the source or the form fails.
    for (const end of [source, parser]) end.on('error', (error) => stream.destroy(error))
    stream.on('error', () => {})
    stream.on('close', () => stream.readableEnded || source.destroy())
    return resolve(stream)
  })
  parser.on('finish', () => reject(missingField(field)))
  parser.on('error', (error) => reject(asAnswer(error)))
  source.on('error', reject).pipe(parser)
  return readAll(await promise)
}

async function* readAll(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (error) {
    throw asAnswer(error)
  }
}
