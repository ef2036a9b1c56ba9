import { isObject } from '../../../shared/objects.ts'
import { type ApiError, defineErrors } from '../../platform/http/error.ts'

export const proxyError = defineErrors({
  proxy_not_configured: (variables: string) => ({
    status: 503,
    detail: `This server has no provider for this API. Its operator sets ${variables}.`,
    headers: NO_RETRY,
  }),
  proxy_upstream_unreachable: (cause: unknown) => ({
    status: 502,
    detail: 'The model provider closed the connection before it answered',
    cause,
  }),
  proxy_id_invalid: { status: 404, detail: 'No model or response can have this id' },
  proxy_response_elsewhere: {
    status: 404,
    detail:
      'This response began outside of the organization, with memories that are not its own; begin a new conversation',
  },
  proxy_memory_invalid: { status: 400, detail: 'X-Svc-Memory must be on, read or off' },
  proxy_name_invalid: (header: string) => ({
    status: 400,
    detail: `${header} must have 1 to 200 characters`,
  }),
})

/** The clients of both protocols repeat a request with 429 or 503, unless they get this header. */
const NO_RETRY = { 'x-should-retry': 'false' }

/** The error of a request that svc refuses itself, as the clients of a protocol read it. */
export type ErrorResponse = (error: ApiError, requestId: string) => Response

const OPENAI_CODES: Record<number, [type: string, code: string | null]> = {
  401: ['invalid_request_error', 'invalid_api_key'],
  402: ['insufficient_quota', 'insufficient_quota'],
  403: ['invalid_request_error', 'permission_denied'],
  413: ['invalid_request_error', 'request_too_large'],
  429: ['insufficient_quota', 'insufficient_quota'],
}

export const openAiError: ErrorResponse = (error) => {
  const fallback = error.status >= 500 ? 'server_error' : 'invalid_request_error'
  const [type, code] = OPENAI_CODES[error.status] ?? [fallback, null]
  const body = { error: { message: messageOf(error), type, param: null, code } }
  return Response.json(body, optionsOf(error))
}

const ANTHROPIC_TYPES: Record<number, string> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
}

export const anthropicError: ErrorResponse = (error, requestId) => {
  const fallback = error.status >= 500 ? 'api_error' : 'invalid_request_error'
  const type = ANTHROPIC_TYPES[error.status] ?? fallback
  const body = {
    type: 'error',
    error: { type, message: messageOf(error) },
    request_id: requestId,
  }
  const { status, headers } = optionsOf(error)
  return Response.json(body, { status, headers: { ...headers, 'request-id': requestId } })
}

const optionsOf = ({ status, headers }: ApiError) => ({
  status,
  // The quota of a month does not come back within the pause of a retry.
  headers: { ...headers, ...([402, 429].includes(status) && NO_RETRY) },
})

const messageOf = ({ detail }: ApiError): string => {
  if (typeof detail === 'string') return detail
  const first: unknown = Array.isArray(detail) ? detail[0]?.msg : detail.message
  return typeof first === 'string' ? first : JSON.stringify(isObject(detail) ? detail : {})
}
