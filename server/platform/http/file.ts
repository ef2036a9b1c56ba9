import { Readable } from 'node:stream'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import { httpError } from './errors.ts'
import { asAnswer, createParser, missingField } from './multipart.ts'
import { type BodyPace, receive } from './receive.ts'

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
