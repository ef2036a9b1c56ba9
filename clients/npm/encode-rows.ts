/** Writes the rows of the contract in the form that `rows.ts` reads. It runs when the package is built. */
import type { TSchema } from '@sinclair/typebox'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { type Paging, pagingOf } from '../../shared/contract/paging.ts'
import type { Stream, Success } from '../../shared/contract/success.ts'
import { derivedReasons, reasonTable } from './reason-table.ts'
import { HASH_LENGTH } from './reasons.ts'
import { METHODS, NEXT } from './rows.ts'

/** The group of a row in the client: its tag in camel case, and `memories` for the tag Memory. */
export const groupOf = ({ tag }: Pick<Endpoint, 'tag'>): string => {
  if (tag === 'Memory') return 'memories'
  const [first = '', ...others] = tag.split(' ')
  const isAcronym = first === first.toUpperCase() || first === 'OAuth'
  const start = isAcronym ? first.toLowerCase() : `${first[0]?.toLowerCase()}${first.slice(1)}`
  return start + others.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('')
}

/** The event `done` ends the streams of answers; others go on until the client leaves. */
export const lastEventOf = ({ part }: Stream): string =>
  JSON.stringify(part).includes('"const":"done"') ? 'done' : ''

const encodeStream = ({ stream }: { stream: Stream }): string =>
  (stream.type === 'text/event-stream' ? '~' : '|') + lastEventOf(stream)

/** Two required fields are enough to recognize the response of svc. */
const encodeSuccess = (success: Success): string => {
  if (success === null) return ''
  if ('stream' in success) return encodeStream(success as { stream: Stream })
  const { type, required = [] } = success as TSchema
  if (type === 'array') return '['
  return type === 'object' ? `{${required.slice(0, 2)}` : '*'
}

/** Whether the response has the access token of a new session. */
const signsIn = ({ credential, success: [, body] }: Endpoint): boolean =>
  (credential === 'none' || credential === 'cookie') &&
  JSON.stringify(body ?? {}).includes('"access_token"')

const namedByText = new Set([
  ...derivedReasons,
  ...reasonTable.split(' ').map((entry) => entry.slice(HASH_LENGTH)),
])

/**
 * A status of the endpoint alone with one declared reason identifies the error (`reasonOf`), where its text does not.
 */
const encodeErrors = ({ errors }: Endpoint): string =>
  Object.entries(errors)
    .filter(([status, { length }]) => /^4(02|04|09|10)$/.test(status) && length === 1)
    .filter(([, [reason = '']]) => !namedByText.has(reason))
    .map(([status, [reason]]) => `${status}:${reason}`)
    .join()

const flagsOf = (row: Endpoint): string =>
  [
    METHODS.indexOf(row.method),
    row.body && 'b',
    row.file && 'f',
    row.upload && 'u',
    row.download && 'd',
    row.isIdempotent && 'i',
    signsIn(row) && 's',
    row.errors[504] && 'm',
    row.credential === 'none' && 'n',
    ['cookie', 'browser'].includes(row.credential) && 'c',
  ]
    .filter((flag) => flag !== false && flag !== undefined)
    .join('')

/** The path as the number of characters that it shares with the path before, in base 36, and the others. */
const encodePath = (path: string, previous: string): string => {
  let shared = 0
  while (shared < 35 && path[shared] !== undefined && path[shared] === previous[shared]) shared++
  return shared.toString(36) + path.slice(shared)
}

/** The initial of the parameter and the field of the items, the field of the next page, and the order. */
const encodePaging = (paging: Paging | undefined): string => {
  if (!paging) return ''
  const { parameter, items, next, isOldestFirst } = paging
  const code = `${parameter[0]}${items}`
  if (next === NEXT && !isOldestFirst) return code
  return [code, next, ...(isOldestFirst ? ['1'] : [])].join()
}

const encodeRow = (row: Endpoint, previous: Endpoint | undefined): string => {
  const hasBody = row.body ?? row.file ?? row.upload
  return [
    row.name,
    encodePath(row.path, previous?.path ?? ''),
    flagsOf(row),
    encodeSuccess(row.success[1]),
    encodeErrors(row),
    hasBody ? Object.keys(row.query.properties).join() : '',
    row.upload?.field ?? '',
    row.streamed ? encodeStream(row.streamed) : '',
    encodePaging(pagingOf(row)),
  ]
    .join(' ')
    .trimEnd()
}

/** The rows by group; a line that begins with `#` names the next group. */
export const encodeRows = (rows: readonly Endpoint[]): string => {
  const groups = [...new Set(rows.map(groupOf))]
  const sorted = groups.flatMap((group) =>
    rows
      .filter((row) => groupOf(row) === group)
      .toSorted((a, b) => (a.path === b.path ? 0 : a.path < b.path ? -1 : 1)),
  )
  return sorted
    .flatMap((row, index) => {
      const previous = sorted[index - 1]
      const isFirst = !previous || groupOf(previous) !== groupOf(row)
      return [...(isFirst ? [`#${groupOf(row)}`] : []), encodeRow(row, previous)]
    })
    .join('\n')
}
