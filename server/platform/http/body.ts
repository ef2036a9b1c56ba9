import { ApiError } from './error.ts'

/** Uploads aside, no body of the API is larger than this. */
export const MAX_BODY_BYTES = 1024 * 1024

/**
 * Reads a JSON body. An empty body reads as no fields at all.
 * @throws ApiError 413 over 1 MiB, 422 for another content type and for malformed JSON.
 */
export const readJson = async (request: Request): Promise<unknown> => {
  const text = await readText(request, MAX_BODY_BYTES)
  if (text === '') return {}
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type !== 'application/json' && !/^application\/[\w.-]+\+json$/.test(type))
    throw new ApiError(422, [
      {
        loc: ['body'],
        type: 'dict_type',
        msg: 'Body should be JSON, with content-type application/json',
      },
    ])
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError(422, [{ loc: ['body'], type: 'json_invalid', msg: 'JSON decode error' }])
  }
}

/**
 * Reads a body as UTF-8 text without ever holding more than `maxBytes` of it.
 * @throws ApiError 413 over that, 422 when it is not UTF-8.
 */
export const readText = async (request: Request, maxBytes: number): Promise<string> => {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  if (!request.body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new ApiError(422, [{ loc: ['body'], type: 'json_invalid', msg: 'Body should be UTF-8' }])
  }
}

const tooLarge = (maxBytes: number) =>
  new ApiError(413, `Body is larger than ${Math.floor(maxBytes / 1024)} KiB`)
