import { ApiError } from '../http/error.ts'
import { retryAfterMs } from './retry.ts'

/**
 * - `timeout`: nothing came in time
 * - `unreachable`: no connection, one that broke, or an answer of 5xx
 * - `refused`: an answer of 4xx: a wrong key, an unknown model, a prompt it does not take
 * - `rate_limited`: 429
 * - `malformed`: an answer that is not as the protocol has it, or ends too early
 * - `empty`: an answer without a word
 * - `unavailable`: there is nobody to ask
 */
export type FailureKind =
  | 'timeout'
  | 'unreachable'
  | 'refused'
  | 'rate_limited'
  | 'malformed'
  | 'empty'
  | 'unavailable'

interface FailureDetails {
  /** Undefined where nobody was asked. */
  provider?: string | undefined
  /** The HTTP status that the provider answered. */
  status?: number | undefined
  /** The operating system's word for a connection that failed, such as ECONNREFUSED. */
  code?: string | undefined
  /** How long the provider wants to be left alone. */
  retryAfterSeconds?: number | undefined
}

/**
 * A model that did not answer. It carries nothing of what the provider said, because providers repeat
 * prompts and parts of keys in their errors.
 */
export class ModelFailure extends Error {
  override name = 'ModelFailure'
  constructor(
    readonly kind: FailureKind,
    readonly details: FailureDetails = {},
  ) {
    super(details.provider ? `${details.provider}: ${kind}` : kind)
  }
}

/** What a request that no model answered is told: 504 too slow, 503 try later, 502 otherwise. */
export const modelFailureAnswer = (failure: ModelFailure): ApiError => {
  const { retryAfterSeconds } = failure.details
  const headers = retryAfterSeconds ? { 'Retry-After': String(retryAfterSeconds) } : {}
  if (failure.kind === 'timeout')
    return new ApiError(504, 'The model did not answer in time', { cause: failure })
  if (failure.kind === 'unavailable' || failure.kind === 'rate_limited')
    return new ApiError(503, 'No model can answer now. Please try again later.', {
      headers,
      cause: failure,
    })
  return new ApiError(502, 'The model failed to answer', { cause: failure })
}

/** Does it speak against the provider? What a prompt brings about does not, or one user could close it to all. */
export const isFault = ({ kind, details: { status } }: ModelFailure): boolean => {
  if (kind === 'refused') return status !== undefined && [401, 402, 403, 404].includes(status)
  return kind !== 'empty' && kind !== 'unavailable'
}

/** Of what candidates said, what the asker is told: the first who was really asked. */
export const mainFailure = (failures: ModelFailure[]): ModelFailure =>
  failures.find(({ kind }) => kind !== 'unavailable') ?? new ModelFailure('unavailable')

/**
 * What an error of the SDK, of the network or in a stream is for us.
 * @returns anything else as it is: a mistake of the program.
 */
export const failureOf = (error: unknown, provider: string): unknown => {
  if (error instanceof ModelFailure || typeof error !== 'object' || error === null) return error
  const { name, statusCode, responseHeaders, cause, code } = error as Record<string, unknown>
  const status = typeof statusCode === 'number' ? statusCode : undefined
  if (status !== undefined && status >= 400) {
    const retryAfter = retryAfterMs((responseHeaders as Record<string, string>)?.['retry-after'])
    return ofStatus(status, provider, retryAfter)
  }
  const network = [code, (cause as { code?: unknown } | undefined)?.code].find(isNetworkCode)
  if (network) return new ModelFailure('unreachable', { provider, code: network })
  if (typeof name === 'string' && name.startsWith('AI_'))
    return new ModelFailure('malformed', { provider, status })
  if (error instanceof Error) return error
  // An error that the provider put into its stream.
  return ofStatus(Number(code) || 500, provider)
}

const ofStatus = (status: number, provider: string, retryAfter?: number): ModelFailure => {
  const details = {
    provider,
    status,
    ...(retryAfter && { retryAfterSeconds: Math.ceil(retryAfter / 1000) }),
  }
  if (status === 429) return new ModelFailure('rate_limited', details)
  if (status === 408 || status === 504) return new ModelFailure('timeout', details)
  return new ModelFailure(status >= 500 ? 'unreachable' : 'refused', details)
}

/** Bun's words (ConnectionRefused) and the operating system's (ECONNRESET). */
const isNetworkCode = (code: unknown): code is string =>
  typeof code === 'string' && /^[A-Z]\w+$/.test(code)
