import type { TObject, TSchema } from '@sinclair/typebox'
import { declaredErrors } from '../../server/platform/http/error.ts'
import { type Endpoint, isStream, type Stream } from '../../shared/contract/endpoint.ts'
import { propertyName, responseName, subjectOf } from './nested-names.ts'
import {
  flat,
  generic,
  listed,
  type PyType,
  pascal,
  quoted,
  sentence,
  typed,
  wrapped,
} from './print.ts'
import { aboutOf, defaultText, isRequired, sourceText, type Types } from './types.ts'

/**
 * The argument of `call` that permits retries. A deletion that is repeated and finds nothing has succeeded. A memory
 * can be superseded once: the second request of such a write would be a conflict.
 */
const repeatableOf = ({ method, isIdempotent, body }: Endpoint): string[] => {
  if (!isIdempotent && method !== 'DELETE') return []
  const fields = Object.entries<TSchema>(body?.properties ?? {})
  const once = fields.find(
    ([name, { items }]) => name === 'supersedes' || items?.properties?.supersedes,
  )
  return [once ? `repeatable=not _supersedes(${once[0]})` : 'repeatable=True']
}

/** The class of each error status. */
export const ERROR_CLASSES: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  402: 'PaymentRequired',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Gone',
  413: 'TooLarge',
  422: 'InvalidInput',
  429: 'RateLimited',
  500: 'ServerError',
  502: 'ServerError',
  503: 'Unavailable',
  504: 'ServerError',
}

export interface Argument {
  name: string
  place: 'path' | 'query' | 'body'
  type: PyType
  isRequired: boolean
  about: string
}

export const argumentsOf = (row: Endpoint, types: Types): Argument[] => {
  const from = (schema: TObject | undefined, place: Argument['place']): Argument[] =>
    Object.entries<TSchema>(schema?.properties ?? {}).map(([name, field]) => ({
      name,
      place,
      type: types.of(field, propertyName(subjectOf(row.name), name, field), true),
      isRequired: place === 'path' || isRequired(schema as TObject, name, field),
      about: `${aboutOf(field)}${defaultText(field)}`.trim(),
    }))
  const all = [...from(row.params, 'path'), ...from(row.query, 'query'), ...from(row.body, 'body')]
  return [...all.filter((each) => each.isRequired), ...all.filter((each) => !each.isRequired)]
}

const FILE_ABOUT = 'The content, a path, or a file that is open for reading bytes.'

export const parametersOf = (row: Endpoint, all: Argument[]): string[] => {
  const paths = all.filter(({ place }) => place === 'path')
  const named = all.filter(({ place }) => place !== 'path')
  const keywords = named.map(({ name, type, isRequired }) =>
    inParameters(`${name}: `, type, isRequired ? '' : ' = OMIT'),
  )
  return [
    'self',
    ...paths.map(({ name, type }) => `${name}: ${flat(type)}`),
    ...(row.upload || row.file ? ['file: FileInput'] : []),
    ...(keywords.length || row.upload ? ['*'] : []),
    ...keywords,
    ...(row.upload ? ['filename: Optional[str] = None'] : []),
  ]
}

/** A parameter as it stands in the lines of a signature, which are two levels deep. */
const inParameters = (prefix: string, type: PyType, suffix: string): string =>
  typed(prefix, type, 2, suffix)
    .map((line) => line.slice(8))
    .join('\n')

interface Result {
  type: PyType
  /** The arguments of `call` that read the response. */
  options: string[]
  /** The response in words; empty without one. */
  about: string
}

const resultOf = (row: Endpoint, types: Types, stream: Stream | undefined): Result => {
  if (stream) {
    const type = types.named(eventsOf(stream), `${pascal(row.name)}Event`)
    const isEvents = stream.type === 'text/event-stream'
    const about = isEvents ? 'The events, as they arrive.' : 'The values, as they arrive.'
    return { type: generic('Stream', type), options: streamOptions(stream), about }
  }
  if (row.download)
    return { type: 'Download', options: ['download=True'], about: 'The content, as it arrives.' }
  const [, success] = row.success
  if (!success || isStream(success) || success.type === 'null')
    return { type: 'None', options: [], about: '' }
  const type = types.of(success, responseName(row.name, success.type === 'array'))
  const text = flat(type)
  const shape = text.startsWith('list[') ? 'list' : /^\w+$/.test(text) ? text : 'dict'
  return { type, options: [`result=${shape}`], about: describeResult(success, text) }
}

/** The fields that a docstring names. */
const NAMED_FIELDS = 8

const describeResult = (success: TSchema, type: string): string => {
  if (success.type === 'array') return `A list of ${type.slice('list['.length, -1)}.`
  const fields = Object.keys(success.properties ?? {}).map((name) => `\`${name}\``)
  if (fields.length === 0) return ''
  const more = fields.length > NAMED_FIELDS ? ', and others' : ''
  return `${fields.slice(0, NAMED_FIELDS).join(', ')}${more}.`
}

/** Two endpoints with the same stream have the same types. */
const events = new Map<TSchema, TSchema>()

const eventsOf = ({ type, part }: Stream): TSchema => {
  if (type !== 'text/event-stream') return part
  const known = events.get(part) ?? withoutErrors(part)
  events.set(part, known)
  return known
}

/** The events of a stream without `error`, which is raised, and without the ids of events. */
const withoutErrors = (part: TSchema): TSchema => {
  const anyOf = (part.anyOf as TSchema[])
    .filter(({ properties }) => properties.event.const !== 'error')
    .map((variant) => {
      const { event, data } = variant.properties
      return { ...variant, properties: { event, data }, required: ['event', 'data'] }
    })
  return anyOf.length === 1 ? (anyOf[0] as TSchema) : ({ ...part, anyOf } as unknown as TSchema)
}

const streamOptions = ({ type, part }: Stream): string[] => {
  const names = ((part.anyOf ?? []) as TSchema[]).map(({ properties }) => properties.event?.const)
  const last = names.includes('done') ? [`last=${quoted('done')}`] : []
  return [`stream=${quoted(type)}`, ...last]
}

const pathOf = ({ path }: Endpoint): string => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (names.length === 0) return quoted(path)
  const values = names.map((name) => `${name}=${name}`).join(', ')
  const line = `_path(${quoted(path)}, ${values})`
  return line.length <= 84 ? line : `_path(\n    ${quoted(path)},\n    ${values},\n)`
}

const objectOf = (all: Argument[], place: Argument['place']): string | undefined => {
  const names = all.filter((each) => each.place === place).map(({ name }) => name)
  if (names.length === 0) return undefined
  const items = names.map((name) => `${quoted(name)}: ${name}`)
  const line = `{${items.join(', ')}}`
  return `${place}=${line.length < 76 ? line : `{\n${items.map((item) => `    ${item},\n`).join('')}}`}`
}

const AUTHORIZATION: Partial<Record<Endpoint['credential'], string>> = {
  none: 'auth="none"',
  cookie: 'auth="cookie"',
}

const bodyOf = (row: Endpoint, all: Argument[]): string[] => {
  if (row.upload) return [`upload=Upload(${quoted(row.upload.field)}, file, filename)`]
  if (row.file) return ['file=file']
  return row.body ? [objectOf(all, 'body') ?? 'body={}'] : []
}

const callOf = (row: Endpoint, all: Argument[], options: string[]): string[] => {
  const query = objectOf(all, 'query')
  const auth = AUTHORIZATION[row.credential]
  return listed(
    'return self._svc.call',
    [
      quoted(row.method),
      pathOf(row),
      ...(query ? [query] : []),
      ...bodyOf(row, all),
      ...options,
      ...(auth ? [auth] : []),
      ...repeatableOf(row),
    ],
    '',
    2,
  )
}

const raisesOf = ({ errors }: Endpoint): string[] => {
  const lines = Object.entries(errors).flatMap(([status, reasons]) => {
    const raised = ERROR_CLASSES[Number(status)] ?? 'ApiError'
    return reasons.flatMap((reason) => {
      const detail = declaredErrors.get(reason)?.detail
      const text = typeof detail === 'string' ? `: ${sentence(sourceText(detail))}` : '.'
      return wrapped(`${raised}: \`${reason}\`${text}`, ' '.repeat(12), ' '.repeat(16))
    })
  })
  return lines.length ? ['', '        Raises:', ...lines] : []
}

const NEEDS: Partial<Record<Endpoint['credential'], string>> = {
  jwt: 'It needs a sign-in; an API key is refused.',
  session: 'It needs a sign-in; an API key is refused.',
  cookie: 'It uses the refresh token of the sign-in.',
}

const docstringOf = (
  row: Endpoint,
  all: Argument[],
  result: Result,
  isStreamed: boolean,
): string[] => {
  const summary = sentence(sourceText(row.summary))
  const first = wrapped(summary, '        """', '        ', 97)
  const notes = [
    NEEDS[row.credential],
    row.adminOnly && 'Only admins may call it.',
    row.requiresVerifiedEmail && 'The email address of the user must be verified.',
    isStreamed && 'The answer is streamed.',
  ]
    .filter(Boolean)
    .join(' ')
  const about = all
    .filter((each) => each.about)
    .flatMap(({ name, about: text }) =>
      wrapped(`${name}: ${sentence(sourceText(text))}`, ' '.repeat(12), ' '.repeat(16)),
    )
  const file = row.upload || row.file ? [`            file: ${FILE_ABOUT}`] : []
  const rest = [
    ...(notes ? ['', ...wrapped(notes, '        ')] : []),
    ...(about.length || file.length ? ['', '        Args:', ...file, ...about] : []),
    ...(result.about ? ['', '        Returns:', ...wrapped(result.about, ' '.repeat(12))] : []),
    ...raisesOf(row),
  ]
  if (rest.length === 0) return [...first.slice(0, -1), `${first.at(-1)}"""`]
  return [...first, ...rest, '        """']
}

/** A method of the client, and what the client of asyncio needs to call it. */
export interface Method {
  name: string
  parameters: string[]
  all: Argument[]
  row: Endpoint
  returns: PyType
  summary: string
  /** The lines after the signature. */
  body: string[]
}

/** The method that calls an endpoint. */
export const methodOf = (
  row: Endpoint,
  types: Types,
  stream: Stream | undefined,
  name: string,
): Method => {
  const all = argumentsOf(row, types)
  const result = resultOf(row, types, stream)
  return {
    name,
    row,
    all,
    parameters: parametersOf(row, all),
    returns: result.type,
    summary: sentence(sourceText(row.summary)),
    body: [
      ...docstringOf(row, all, result, stream !== undefined && row.streamed !== undefined),
      ...callOf(row, all, result.options),
    ],
  }
}
