/** The rows of the contract as the package contains them: one line each, without schemas (`encode-rows.ts`). */
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { Paging } from '../../shared/contract/paging.ts'

/** The parts of a row that a call needs, in the shape of the contract. */
export type Row = Pick<
  Endpoint,
  'name' | 'method' | 'path' | 'errors' | 'download' | 'isIdempotent' | 'credential'
> & {
  group: string
  body: object | undefined
  file: object | undefined
  upload: { field: string } | undefined
  /** The names of query parameters, for a row that also has a body. */
  query: readonly string[]
  success: readonly [number, unknown]
  /** The stream that the endpoint also has. */
  streamed: { stream: { type: string } } | undefined
  /** How the pages of a list follow each other. */
  paging: Paging | undefined
  /** The name of the event that ends the stream; empty where every end is one. */
  lastEvent: string
  /** Whether its response signs in. */
  signsIn: boolean
  /** Whether a model answers. */
  isAnswer: boolean
}

/** A line has the index of its method. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const decodeSuccess = (code: string): unknown => {
  if (code === '') return null
  if (code[0] === '[') return { type: 'array' }
  if (code[0] === '{') return { type: 'object', required: code.slice(1).split(',').filter(Boolean) }
  if (code[0] === '*') return {}
  return { stream: { type: code[0] === '~' ? 'text/event-stream' : 'application/x-ndjson' } }
}

/** The usual field that names the next page. */
export const NEXT = 'next_cursor'

const decodePaging = (code: string): Paging | undefined => {
  const [items = '', next, order] = code.split(',')
  const parameter = (['cursor', 'before', 'page'] as const).find((name) => name[0] === items[0])
  return (
    parameter && { parameter, items: items.slice(1), next: next || NEXT, isOldestFirst: !!order }
  )
}

const decodeRow = (line: string, group: string, previous: string): Row => {
  const [
    name = '',
    path = '',
    flags = '',
    success = '',
    errors = '',
    query,
    field,
    streamed = '',
    paging = '',
  ] = line.split(' ')
  const has = (flag: string) => flags.includes(flag)
  const reasons = errors.split(',').map((each) => each.split(':'))
  return {
    name,
    group,
    method: METHODS[Number(flags[0])] ?? 'GET',
    path: previous.slice(0, Number.parseInt(path[0] ?? '', 36)) + path.slice(1),
    body: has('b') ? {} : undefined,
    file: has('f') ? {} : undefined,
    upload: has('u') ? { field: field ?? '' } : undefined,
    download: has('d') ? [] : undefined,
    isIdempotent: has('i'),
    signsIn: has('s'),
    isAnswer: has('m'),
    credential: has('n') ? 'none' : has('c') ? 'cookie' : 'bearer',
    query: query?.split(',') ?? [],
    errors: Object.fromEntries(reasons.map(([status, reason = '']) => [status, [reason]])),
    success: [200, decodeSuccess(success)],
    streamed: decodeSuccess(streamed) as Row['streamed'],
    paging: decodePaging(paging),
    lastEvent: /^[~|](.*)/.exec(streamed || success)?.[1] ?? '',
  }
}

export const decodeRows = (table: string): Row[] => {
  let group = ''
  let path = ''
  const rows: Row[] = []
  for (const line of table.split('\n'))
    if (line[0] === '#') group = line.slice(1)
    else {
      const row = decodeRow(line, group, path)
      path = row.path
      rows.push(row)
    }
  return rows
}
