import type { Endpoint, Method } from '../../../shared/contract/index.ts'
import { usageError } from '../../errors.ts'
import { oneLine } from '../../output.ts'
import { findEndpoint, methods, parseMethod } from './endpoints.ts'
import type { RequestFieldValues } from './fields.ts'

/** The endpoint of a request, and where its fields go. */
export interface ApiTarget {
  method: Method
  /** Undefined if the contract does not have this endpoint. */
  row: Endpoint | undefined
  url: URL
  body: RequestFieldValues
}

/**
 * Resolves the words `[METHOD] PATH` and the fields.
 * @param origin the address of the server, to which the path belongs.
 * @param hasInput whether the body is read from a file, so that no field is part of it.
 */
export const resolveTarget = (
  words: string[],
  fields: RequestFieldValues,
  { origin, hasInput }: { origin: string; hasInput: boolean },
): ApiTarget => {
  const [typedMethod, typedPath] = methodAndPath(words)
  const [path = '', search = ''] = pathOnServer(typedPath, origin).split('?', 2)
  const rest = { ...fields }
  const filledPath = fillPlaceholders(path, rest)
  const { method, row } = findEndpoint(path, typedMethod, hasInput || Object.keys(rest).length > 0)
  const url = URL.parse(origin + filledPath)
  // A URL parser reads `/\host` as `//host`, and follows `..` out of the path of the server.
  const alone = URL.parse(filledPath, origin)
  const isOwn = alone?.origin === new URL(origin).origin
  if (!isOwn || !url?.href.startsWith(`${origin}/`)) throw otherServer(typedPath, origin)
  url.search = search
  const body: RequestFieldValues = {}
  for (const [name, value] of Object.entries(rest))
    if (!hasInput && !isQueryField(name, method, row)) body[name] = value
    else for (const each of [value].flat()) url.searchParams.append(name, asText(each))
  return { method, row, url, body }
}

const methodAndPath = (words: string[]): [method: Method | undefined, path: string] => {
  const [first = '', second, ...others] = words
  if (others.length > 0)
    throw usageError('There is more than a method and a path.', 'Run: svc api --help')
  if (second === undefined) return [undefined, first]
  const method = parseMethod(first)
  if (method) return [method, second]
  throw usageError(`${oneLine(first)} is not a method.`, `Use one of: ${methods.join(', ')}.`)
}

/** The path from the root of the server. `memories` stands for `/api/memories`. */
const pathOnServer = (typed: string, origin: string): string => {
  const path = typed.startsWith(`${origin}/`) ? typed.slice(origin.length) : typed
  if (path.includes('://')) throw otherServer(typed, origin)
  if (path.startsWith('/')) return path
  return path.startsWith('api/') ? `/${path}` : `/api/${path}`
}

/** Credentials are for this server only. */
const otherServer = (typed: string, origin: string) =>
  usageError(`${oneLine(typed)} is not a path of ${origin}.`, 'Use --url for another server.')

/** Replaces `{name}` by the field of this name, which it removes: it is not part of a query or body. */
const fillPlaceholders = (path: string, fields: RequestFieldValues): string =>
  path.replace(/\{([^{}/]*)\}/g, (placeholder, name) => {
    if (!Object.hasOwn(fields, name))
      throw usageError(
        `The path has the placeholder ${placeholder}.`,
        `Replace it, or add: -f ${name}=VALUE`,
      )
    const value = asText(fields[name])
    delete fields[name]
    return encodeURIComponent(value)
  })

/** Without a row, the fields of GET and DELETE go to the query. */
const isQueryField = (name: string, method: Method, row: Endpoint | undefined): boolean => {
  if (!row) return method === 'GET' || method === 'DELETE'
  if (!row.body) return true
  return Object.hasOwn(row.query.properties, name) && !Object.hasOwn(row.body.properties, name)
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)
