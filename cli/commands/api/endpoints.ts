import { contract, type Endpoint, type Method, protocols } from '../../../shared/contract/index.ts'

export const endpoints: readonly Endpoint[] = [...contract, ...protocols]

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies Method[]

/** The method that a text names, in lower or upper case. */
export const parseMethod = (text: string): Method | undefined =>
  methods.find((method) => method === text.toUpperCase())

const isPlaceholder = (segment: string): boolean => segment.startsWith('{')

/** Whether typed segments could be the first ones of a path of the contract. */
export const isStartOf = (typed: readonly string[], path: readonly string[]): boolean =>
  typed.length <= path.length &&
  typed.every((segment, i) => {
    const expected = path[i] ?? ''
    return segment === expected || (isPlaceholder(expected) && segment !== '')
  })

/** The endpoints of a path, those with literal segments first. */
const endpointsAt = (path: string): Endpoint[] => {
  const typed = path.split('/')
  const placeholders = (row: Endpoint) => row.path.split('/').filter(isPlaceholder).length
  return endpoints
    .filter((row) => row.path.split('/').length === typed.length)
    .filter((row) => isStartOf(typed, row.path.split('/')))
    .sort((a, b) => placeholders(a) - placeholders(b))
}

/**
 * The endpoint of a request; undefined if the contract has none. Without a method it is GET, or POST
 * for a request with input, or else the only method of the path.
 */
export const findEndpoint = (
  path: string,
  typedMethod: Method | undefined,
  hasInput: boolean,
): { method: Method; row: Endpoint | undefined } => {
  const rows = endpointsAt(path)
  const usual = hasInput ? 'POST' : 'GET'
  const known = new Set(rows.map(({ method }) => method))
  const [only = usual] = known.size === 1 ? known : []
  const method = typedMethod ?? (known.has(usual) ? usual : only)
  return { method, row: rows.find((row) => row.method === method) }
}
