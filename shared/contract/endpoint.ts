import { type Static, type TObject, type TSchema, type TUnsafe, Type } from '@sinclair/typebox'
import { isStream, type Stream, type StreamType, type Success } from './success.ts'

/**
 * The credential that a request needs.
 * - `none`: nothing
 * - `bearer`: an access token or an API key
 * - `jwt`: an access token; an API key gets 403
 * - `session`: an access token, or the refresh cookie
 * - `cookie`: the refresh cookie, valid or not; browsers may send it only from an allowed origin
 * - `browser`: the refresh cookie of an active session, from an allowed origin
 */
export type CredentialRequirement = 'none' | 'bearer' | 'jwt' | 'session' | 'cookie' | 'browser'

/**
 * The kinds of requests that wait in a queue each while a server is busy.
 * - `read`, `write`: quick ones
 * - `search`: a recall, or what contains one
 * - `bulk`: a write of many memories
 * - `slow`: one that waits for a model, another server or the rest of a file
 */
export type QueueName = 'read' | 'write' | 'search' | 'bulk' | 'slow'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export { isStream, type Stream, type StreamType, type Success }

export const stream = <T extends TSchema>(type: StreamType, part: T): { stream: Stream<T> } => ({
  stream: { type, part },
})

/** One server-sent event; `data` is sent as JSON, `id` where a client can resume after it. */
export type EventOf<T extends Record<string, TSchema>> = {
  [K in keyof T & string]: { event: K; id?: string; data: Static<T[K]> }
}[keyof T & string]

/** The event that ends a started stream on failure. It carries the `detail` of the error body. */
export const StreamError = Type.Object({ detail: Type.Unknown() })

type ErrorEvent = { error: typeof StreamError }

/** An event of a stream: one of those named, or `error`. */
export type StreamEventOf<T extends Record<string, TSchema>> = EventOf<T & ErrorEvent>

/**
 * Server-sent events by name, with the schema of their data. Any stream may end with an `error`
 * event. These endpoints also accept an access token as the query parameter `token`, because
 * `EventSource` in browsers cannot send headers.
 */
export const events = <T extends Record<string, TSchema>>(named: T) => {
  const all = { ...named, error: StreamError }
  const parts = Object.entries(all).map(([event, data]) =>
    Type.Object({ event: Type.Literal(event), id: Type.Optional(Type.String()), data }),
  )
  return stream('text/event-stream', Type.Union(parts) as unknown as TUnsafe<StreamEventOf<T>>)
}

/** The row of an endpoint as a client sees it that accepts its stream. */
export const asStream = <E extends Endpoint>(row: E) =>
  ({ ...row, success: [row.success[0], row.streamed] }) as unknown as Omit<E, 'success'> & {
    success: readonly [number, E['streamed'] extends { stream: Stream } ? E['streamed'] : never]
  }

/**
 * A file of any size, read while it arrives: either as the request body in one of these content
 * types, or in a `multipart/form-data` field.
 */
export interface FileBody {
  field: string
  types: readonly string[]
}

/** Details of an endpoint whose bodies another protocol defines. */
export interface Protocol {
  /** Notes for the API description. */
  about?: string
  /** The content type of the request body. Default: JSON. */
  body?: string
  /** The content type of the response. Default: JSON. */
  answer?: string
}

/** The reasons of each error status, as `defineErrors` of the server declares them. */
export type EndpointErrors = Readonly<Record<number, readonly string[]>>

/** One row of the contract. Server, API description and clients read the same row. */
export interface Endpoint<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TObject | undefined = TObject | undefined,
  R extends Success = Success,
  C extends CredentialRequirement = CredentialRequirement,
  F extends FileBody | undefined = FileBody | undefined,
  S extends { stream: Stream } | undefined = { stream: Stream } | undefined,
> {
  /** The `operationId` in the API description. */
  name: string
  method: Method
  /** With parameters in braces: `/api/memories/{memory_id}`. */
  path: string
  tag: string
  summary: string
  credential: C
  params: P
  query: Q
  body: B
  /** A file in a `multipart/form-data` field instead of a JSON body. */
  upload: { field: string; maxBytes: number } | undefined
  file: F
  /** The media types of a file that is the response; its success body is null. */
  download: readonly string[] | undefined
  /** The header with the signature of the body, which the handler verifies. */
  signedBy: string | undefined
  success: readonly [status: number, body: R]
  /** The response to a request whose `Accept` header names the type of this stream. */
  streamed: S
  /** Errors beyond 401 (by credential), 422 (by schemas) and 500. */
  errors: EndpointErrors
  /** Error bodies that differ from the usual body of their status. */
  errorBodies: Readonly<Record<number, TSchema>>
  /** Counted by the auth limiter: 5 requests per minute and client address. */
  authLimited: boolean
  /** Callers with an unverified email address get 403. */
  requiresVerifiedEmail: boolean
  /** Callers who are not admins get 403. */
  adminOnly: boolean
  /** Where its requests wait while the server is busy. `none` for sign-in, accounts, health and admins. */
  queue: QueueName | 'none'
  /** The names of the endpoints whose responses a success makes old; clients request them again. */
  affects: readonly string[]
  /**
   * Whether keys that the query or the body does not declare, and repeated ones, are refused. They are ignored elsewhere, but here a
   * filter with a wrong name would delete more than was meant. True for each DELETE.
   */
  refusesUnknown: boolean
  /**
   * Whether a repeated request has the effect and the response of one, so that clients may retry it. A memory that
   * supersedes another is an exception: the second request is a conflict.
   */
  isIdempotent: boolean
  /** Set where another protocol defines the bodies; the handler then validates the request itself. */
  protocol: Protocol | undefined
}

const Nothing = Type.Object({})
type Nothing = typeof Nothing

type Row<
  P extends TObject,
  Q extends TObject,
  B extends TObject | undefined,
  R extends Success,
  C extends CredentialRequirement,
  F extends FileBody | undefined,
  S extends { stream: Stream } | undefined,
> = Pick<Endpoint, 'name' | 'method' | 'path' | 'tag' | 'summary'> &
  Partial<
    Pick<
      Endpoint,
      | 'errorBodies'
      | 'authLimited'
      | 'requiresVerifiedEmail'
      | 'adminOnly'
      | 'queue'
      | 'upload'
      | 'download'
      | 'signedBy'
      | 'affects'
      | 'isIdempotent'
      | 'refusesUnknown'
      | 'protocol'
    >
  > & {
    credential: C
    params?: P
    query?: Q
    body?: B
    file?: F
    success: readonly [status: number, body: R]
    streamed?: S
    /** Without reasons: the statuses. */
    errors?: EndpointErrors | readonly number[]
  }

/** An endpoint among the exports of a resource's file. Schemas have no method. */
export const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'credential' in value

/** The endpoints among the exports of a resource's file, which exports its schemas too. */
export const endpointsOf = (resource: object): Endpoint[] =>
  Object.values(resource).filter(isEndpoint)

export const endpoint = <
  R extends Success,
  const C extends CredentialRequirement,
  P extends TObject = Nothing,
  Q extends TObject = Nothing,
  B extends TObject | undefined = undefined,
  F extends FileBody | undefined = undefined,
  S extends { stream: Stream } | undefined = undefined,
>(
  row: Row<P, Q, B, R, C, F, S>,
): Endpoint<P, Q, B, R, C, F, S> => ({
  ...row,
  params: row.params ?? (Nothing as unknown as P),
  query: row.query ?? (Nothing as unknown as Q),
  body: row.body as B,
  upload: row.upload,
  file: row.file as F,
  download: row.download,
  signedBy: row.signedBy,
  streamed: row.streamed as S,
  errors: reasonsOf(row.errors ?? []),
  errorBodies: row.errorBodies ?? {},
  authLimited: row.authLimited ?? false,
  requiresVerifiedEmail: row.requiresVerifiedEmail ?? false,
  adminOnly: row.adminOnly ?? false,
  queue: row.queue ?? queueOf(row),
  affects: row.affects ?? [],
  isIdempotent: row.isIdempotent ?? row.method === 'GET',
  refusesUnknown: row.refusesUnknown ?? (row.method === 'DELETE' && !row.protocol),
  protocol: row.protocol,
})

const queueOf = ({
  credential,
  adminOnly,
  method,
  file,
  upload,
  streamed,
  success,
}: Pick<Endpoint, 'credential' | 'method' | 'success'> &
  Partial<Pick<Endpoint, 'adminOnly' | 'file' | 'upload' | 'streamed'>>): Endpoint['queue'] => {
  if (credential !== 'bearer' || adminOnly) return 'none'
  if (file || upload || isStream(success[1])) return 'slow'
  if (method === 'GET') return 'read'
  return streamed ? 'slow' : 'write'
}

const reasonsOf = (errors: EndpointErrors | readonly number[]): EndpointErrors =>
  isList(errors) ? Object.fromEntries(errors.map((status) => [status, []])) : errors

const isList = (errors: EndpointErrors | readonly number[]): errors is readonly number[] =>
  Array.isArray(errors)

/** The statuses of the declared errors. */
export const errorStatuses = ({ errors }: Pick<Endpoint, 'errors'>): number[] =>
  Object.keys(errors).map(Number)

/** The body of a successful response. */
export type ResponseOf<E extends Endpoint> = E['success'][1] extends TSchema
  ? Static<E['success'][1]>
  : E['success'][1] extends { stream: Stream<infer T> }
    ? AsyncIterable<Static<T>>
    : undefined

/** The body of a successful response to a client that accepts the stream. */
export type StreamedResponseOf<E extends Endpoint> = E['streamed'] extends {
  stream: Stream<infer T>
}
  ? AsyncIterable<Static<T>>
  : never
