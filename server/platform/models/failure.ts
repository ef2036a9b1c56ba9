import { ApiError } from '../http/error.ts'

/**
 * - `timeout`: nothing came in time
 * - `unreachable`: no connection, one that broke, or an answer of 5xx
 * - `refused`: an answer of 4xx: a wrong key, an unknown model, a prompt it does not take
 * - `rate_limited`: 429
 * - `malformed`: an answer that is not as the protocol has it, or that says nothing
 * - `unavailable`: there is nobody to ask
 */
export type FailureKind =
  | 'timeout'
  | 'unreachable'
  | 'refused'
  | 'rate_limited'
  | 'malformed'
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
