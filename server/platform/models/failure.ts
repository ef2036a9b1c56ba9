import { ResponseRefused } from '../fetch/limited-fetch.ts'
import { type ApiError, defineErrors } from '../http/error.ts'
import { retryAfterMs } from './language-model.ts'

/**
 * - `timeout`: no output in time
 * - `unreachable`: no connection, a broken connection, or status 5xx
 * - `refused`: status 4xx: a wrong key, an unknown model, an unsupported prompt
 * - `rate_limited`: status 429
 * - `malformed`: a response that violates the protocol or ends early
 * - `too_long`: a response that exceeds a limit before its text ends
 * - `empty`: a response without text
 * - `unavailable`: no provider to call
 */
type FailureKind =
  | 'timeout'
  | 'unreachable'
  | 'refused'
  | 'rate_limited'
  | 'malformed'
  | 'too_long'
  | 'empty'
  | 'unavailable'

interface FailureDetails {
  /** Undefined if no provider was called. */
  provider?: string | undefined
  /** The HTTP status of the response. */
  status?: number | undefined
  /** The error code of a failed connection, such as ECONNREFUSED. */
  code?: string | undefined
  /** The provider's Retry-After. */
  retryAfterSeconds?: number | undefined
  /** The provider refused the limit of tokens. */
  isTokenLimitRefused?: boolean | undefined
  /** The problem in words of svc, for the operator. */
  reason?: string | undefined
}

/**
 * A failed call of a model. It has no text of the provider's error, because providers repeat prompts and
 * parts of keys there.
 */
export class ModelFailure extends Error {
  override name = 'ModelFailure'
  constructor(
    readonly kind: FailureKind,
    readonly details: FailureDetails = {},
  ) {
    super(details.reason ?? (details.provider ? `${details.provider}: ${kind}` : kind))
  }
}

const modelError = defineErrors({
  model_timed_out: (cause: ModelFailure) => ({
    status: 504,
    detail: 'The model did not answer in time',
    cause,
  }),
  model_unavailable: (cause: ModelFailure, headers: Record<string, string>) => ({
    status: 503,
    detail: 'No model can answer now. Please try again later.',
    headers,
    cause,
  }),
  model_failed: (cause: ModelFailure) => ({
    status: 502,
    detail: 'The model failed to answer',
    cause,
  }),
})

/** The response to a request that no model completed: 504 timeout, 503 unavailable, 502 otherwise. */
export const modelFailureAnswer = (failure: ModelFailure): ApiError => {
  const { retryAfterSeconds } = failure.details
  const headers = retryAfterSeconds ? { 'Retry-After': String(retryAfterSeconds) } : {}
  if (failure.kind === 'timeout') return modelError('model_timed_out', failure)
  if (failure.kind === 'unavailable' || failure.kind === 'rate_limited')
    return modelError('model_unavailable', failure, headers)
  return modelError('model_failed', failure)
}

/**
 * Whether the breaker counts the failure. It ignores failures due to a prompt, by which one user could
 * block the provider for all.
 */
export const isOutage = ({ kind, details: { status } }: ModelFailure): boolean => {
  if (kind === 'refused') return status !== undefined && [401, 402, 403, 404].includes(status)
  return kind !== 'empty' && kind !== 'too_long' && kind !== 'unavailable'
}

/** The failure to report: that of the first provider that was called. */
export const mainFailure = (failures: ModelFailure[]): ModelFailure =>
  failures.find(({ kind }) => kind !== 'unavailable') ?? new ModelFailure('unavailable')

/**
 * Converts an error of the SDK, of the network or in a stream to a ModelFailure.
 * @returns any other error unchanged, because it is a bug.
 */
export const failureOf = (error: unknown, provider: string): unknown => {
  if (error instanceof ModelFailure || typeof error !== 'object' || error === null) return error
  const { name, statusCode, responseHeaders, responseBody, cause, code } = error as Record<
    string,
    unknown
  >
  const status = typeof statusCode === 'number' ? statusCode : undefined
  if (status !== undefined && status >= 400) {
    const retryAfter = retryAfterMs((responseHeaders as Record<string, string>)?.['retry-after'])
    return ofStatus(status, provider, {
      ...(retryAfter && { retryAfterSeconds: Math.ceil(retryAfter / 1000) }),
      ...(TOKEN_LIMIT.test(String(responseBody)) && { isTokenLimitRefused: true }),
    })
  }
  const refused = [error, cause].find((each) => each instanceof ResponseRefused)
  if (refused)
    return new ModelFailure(refused.reason === 'too_large' ? 'too_long' : 'malformed', { provider })
  const network = [code, (cause as { code?: unknown } | undefined)?.code].find(isNetworkCode)
  if (network) return new ModelFailure('unreachable', { provider, code: network })
  if (typeof name === 'string' && name.startsWith('AI_'))
    return new ModelFailure('malformed', { provider, status })
  if (error instanceof Error) return error
  // An error event in the provider's stream.
  return ofStatus(Number(code) || 500, provider)
}

/** How OpenAI, Anthropic and vLLM name the parameter that exceeds the model's own limit. */
const TOKEN_LIMIT = /max_(?:completion_)?tokens/

const ofStatus = (status: number, provider: string, more: FailureDetails = {}): ModelFailure => {
  const details = { provider, status, ...more }
  if (status === 429) return new ModelFailure('rate_limited', details)
  if (status === 408 || status === 504) return new ModelFailure('timeout', details)
  return new ModelFailure(status >= 500 ? 'unreachable' : 'refused', details)
}

/** Codes of Bun (ConnectionRefused) and of the operating system (ECONNRESET). */
const isNetworkCode = (code: unknown): code is string =>
  typeof code === 'string' && /^[A-Z]\w+$/.test(code)
