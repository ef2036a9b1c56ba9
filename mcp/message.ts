import { type TObject, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

/** A JSON-RPC error response. */
interface ErrorResponse {
  jsonrpc: '2.0'
  id: unknown
  error: { code: number; message: string }
}

const INVALID_PARAMS = -32_602
/** A client chooses the names of arguments. */
const MAX_FIELD_CHARS = 200

const compile = (params: TObject) => TypeCompiler.Compile(Type.Object({ params }))

/** The parameters that a model or a user fills in. The SDK describes mistakes in them as a dump of issues. */
const checks = {
  'tools/call': compile(
    Type.Object({ name: Type.String(), arguments: Type.Optional(Type.Object({})) }),
  ),
  'prompts/get': compile(
    Type.Object({
      name: Type.String(),
      arguments: Type.Optional(Type.Record(Type.String(), Type.String())),
    }),
  ),
  'resources/read': compile(Type.Object({ uri: Type.String() })),
}

/** The error response to a request with parameters of a wrong type; undefined for any other message. */
export const refuseParams = (message: unknown): ErrorResponse | undefined => {
  const { id, method } = (message ?? {}) as { id?: unknown; method?: string }
  if (id === undefined || !method || !Object.hasOwn(checks, method)) return undefined
  const problem = checks[method as keyof typeof checks].Errors(message).First()
  if (!problem) return undefined
  const field = problem.path.replace('/params/', '').replaceAll('/', '.').slice(0, MAX_FIELD_CHARS)
  return {
    jsonrpc: '2.0',
    id,
    error: {
      code: INVALID_PARAMS,
      message: `Invalid arguments: ${field}: ${problem.message}. Correct them and call again.`,
    },
  }
}

/**
 * A message with arguments of a tool as an object, because some hosts send them as JSON text, and null or an
 * empty text for none.
 * @param parse returns undefined for a text that is not to be read.
 * @returns the same message if there is nothing to change.
 */
export const unwrapArguments = (message: unknown, parse: (text: string) => unknown): unknown => {
  const { method, params } = (message ?? {}) as {
    method?: unknown
    params?: { arguments?: unknown } | null
  }
  const given = params?.arguments
  if (method !== 'tools/call' || (given !== null && typeof given !== 'string')) return message
  const read = given === null || given === '' ? null : parse(given)
  if (typeof read !== 'object' || Array.isArray(read)) return message
  return { ...(message as object), params: { ...params, arguments: read ?? {} } }
}

/** The resources that a message subscribes to: `subscriptions/listen`, and `resources/subscribe` before. */
export const subscribedIn = (message: unknown): unknown[] => {
  const { method, params } = (message ?? {}) as {
    method?: unknown
    params?: { uri?: unknown; notifications?: { resourceSubscriptions?: unknown } } | null
  }
  if (method === 'resources/subscribe') return [params?.uri]
  if (method !== 'subscriptions/listen') return []
  const uris = params?.notifications?.resourceSubscriptions
  return Array.isArray(uris) ? uris : []
}
