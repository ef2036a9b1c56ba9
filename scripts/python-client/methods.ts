import { type Endpoint, isStream } from '../../shared/contract/endpoint.ts'
import { pagingOf } from '../../shared/contract/paging.ts'
import { type Method, methodOf } from './calls.ts'
import { pagedOf } from './paged.ts'
import { flat, listed, snake } from './print.ts'
import type { Types } from './types.ts'

/** The methods of a row: its own, that of its stream, and that of all its pages. */
export const methodsOf = (row: Endpoint, types: Types): Method[] => {
  const [, success] = row.success
  const own = success && isStream(success) ? success.stream : undefined
  const name = snake(row.name)
  const paging = pagingOf(row)
  return [
    methodOf(row, types, own, name),
    ...(row.streamed ? [methodOf(row, types, row.streamed.stream, `${name}_stream`)] : []),
    ...(paging ? [pagedOf(row, types, paging)] : []),
  ]
}

export const methodLines = ({ name, parameters, returns, body }: Method): string[] => [
  '',
  ...listed(`def ${name}`, parameters, ` -> ${flat(returns)}:`, 1),
  ...body,
]
