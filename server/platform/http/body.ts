import { setImmediate as yieldToRequests } from 'node:timers/promises'
import { budgets } from '../budgets.ts'
import { collectBytes } from '../bytes.ts'
import { httpError } from './errors.ts'
import { parseJson } from './json.ts'
import { type BodyPace, receive, receiveSmall } from './receive.ts'

/** Limit of every body except uploads and files. */
export const MAX_BODY_BYTES = budgets.requestBody.bytes

/** A body of a known length up to this is read at once. */
const SMALL_BYTES = 16 * 1024

/** Between parsing and validating a larger body, the server yields to the event loop. */
const LARGE_CHARACTERS = 64 * 1024

/**
 * Reads a JSON body. An empty body counts as `{}`.
 * @throws ApiError 413 over 1 MiB, 422 for another content type and as `parseJson`, 400 as
 * `readText`.
 */
export const readJson = async (request: Request, pace: BodyPace): Promise<unknown> => {
  const text = await readText(request, MAX_BODY_BYTES, pace)
  if (text === '') return {}
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type !== 'application/json' && !/^application\/[\w.-]+\+json$/.test(type))
    throw httpError('body_not_json')
  const value = parseJson(text)
  if (text.length > LARGE_CHARACTERS) await yieldToRequests()
  return value
}

/**
 * Reads a body as UTF-8 text. Buffers at most one chunk more than `maxBytes`.
 * @throws ApiError 413 over `maxBytes`, 422 when it is not UTF-8, 400 when it ends early or arrives too
 * slowly.
 */
export const readText = async (
  request: Request,
  maxBytes: number,
  pace: BodyPace,
): Promise<string> => {
  const tooLarge = () => httpError('body_too_large', maxBytes)
  const length = Number(request.headers.get('content-length') ?? Number.NaN)
  if (length > maxBytes) throw tooLarge()
  const bytes =
    length <= SMALL_BYTES
      ? await receiveSmall(request, pace)
      : await collectBytes(receive(request, pace), maxBytes, tooLarge)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw httpError('body_not_utf8')
  }
}
