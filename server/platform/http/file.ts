import { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import { ApiError } from './error.ts'

/** How long a sender may rest before it is taken to be gone. */
const SILENCE_SECONDS = 60

interface Timer {
  timeout(request: Request, seconds: number): void
}

/**
 * Gives the bytes of a file as they come, and lets the sender wait while nobody takes them. What is
 * compressed stays so.
 * @throws ApiError 422 for a body of another type, or a form without the field; 400 while the bytes
 * are read, when they break off.
 */
export const readFile = async (
  request: Request,
  { file }: Endpoint,
  timer: Timer | null,
): Promise<AsyncIterable<Uint8Array>> => {
  if (!file) throw new Error('this endpoint takes no file')
  const given = request.headers.get('content-type') ?? ''
  const type = given.split(';')[0]?.trim().toLowerCase() ?? ''
  const bytes = received(request, timer)
  if (type === 'multipart/form-data') return fromForm(bytes, given, file.field)
  if (file.types.includes(type)) return bytes
  const types = [...file.types, 'multipart/form-data'].join(', ')
  throw new ApiError(422, [
    { loc: ['body'], type: 'value_error', msg: `Content-Type should be one of ${types}` },
  ])
}

/** The time that we take to use a chunk is not the sender's. */
async function* received(request: Request, timer: Timer | null): AsyncGenerator<Uint8Array> {
  const reader = request.body?.getReader()
  if (!reader) return
  try {
    for (;;) {
      timer?.timeout(request, SILENCE_SECONDS)
      const { done, value } = await reader.read().catch((cause) => {
        throw new ApiError(400, 'The body broke off', { cause })
      })
      timer?.timeout(request, 0)
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Whatever else the form has is passed over. */
const fromForm = async (
  bytes: AsyncIterable<Uint8Array>,
  type: string,
  field: string,
): Promise<AsyncIterable<Uint8Array>> => {
  if (!/boundary=[^;\s]/i.test(type)) throw missing(field)
  const { promise, resolve, reject } = Promise.withResolvers<Readable>()
  const parser = new Busboy({ headers: { 'content-type': type } as BusboyHeaders })
  const source = Readable.from(bytes)
  parser.on('file', (name, stream) => {
    if (name !== field) return stream.resume()
    // Whoever reads it is told as well; without this a body that breaks off would end the process.
    for (const end of [source, parser]) end.on('error', (error) => stream.destroy(error))
    stream.on('error', () => {})
    stream.on('close', () => stream.readableEnded || source.destroy())
    return resolve(stream)
  })
  parser.on('finish', () => reject(missing(field)))
  parser.on('error', () => reject(missing(field)))
  source.on('error', reject).pipe(parser)
  return promise
}

const missing = (field: string) =>
  new ApiError(422, [{ loc: ['body', field], type: 'missing', msg: 'Field required' }])
