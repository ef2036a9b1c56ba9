import { type Static, type TObject, type TSchema, type TUnsafe, Type } from '@sinclair/typebox'

/**
 * What a request must carry.
 * - `none`: nothing
 * - `bearer`: an access token or an API key
 * - `jwt`: an access token; an API key is answered 403
 * - `session`: an access token, or the refresh cookie
 * - `cookie`: the refresh cookie, good or not; a browser may send it only from an allowed origin
 * - `browser`: the same, of a session that lives
 */
export type Credential = 'none' | 'bearer' | 'jwt' | 'session' | 'cookie' | 'browser'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** How an answer of many parts is sent: one JSON value a line, or server-sent events. */
export type StreamType = 'application/x-ndjson' | 'text/event-stream'

/** An answer of many parts, each sent when it is there, and none before the reader takes it. */
export interface Stream<T extends TSchema = TSchema> {
  type: StreamType
  /** What each part is. */
  part: T
}

export const stream = <T extends TSchema>(type: StreamType, part: T): { stream: Stream<T> } => ({
  stream: { type, part },
})

/** One event of a stream: `data` is sent as JSON. */
export type EventOf<T extends Record<string, TSchema>> = {
  [K in keyof T & string]: { event: K; data: Static<T[K]> }
}[keyof T & string]

/** An event that ends a stream which has begun: what else would be the body of an error. */
export const StreamError = Type.Object({ detail: Type.Unknown() })

/**
 * Server-sent events by their names and what they carry. An `error` event may end any of them. Such
 * an endpoint takes a credential as the query parameter `token` too (contract 5.1).
 */
export const events = <T extends Record<string, TSchema>>(named: T) => {
  const all = { ...named, error: StreamError }
  const parts = Object.entries(all).map(([event, data]) =>
    Type.Object({ event: Type.Literal(event), data }),
  )
  return stream(
    'text/event-stream',
    Type.Union(parts) as unknown as TUnsafe<EventOf<T & { error: typeof StreamError }>>,
  )
}

/** What an endpoint answers: a JSON value, a stream of them, or nothing. */
export type Success = TSchema | { stream: Stream } | null

export const isStream = (success: Success): success is { stream: Stream } =>
  success !== null && 'stream' in success

/** The row as it answers whoever accepts a stream. */
export const asStream = <E extends Endpoint>(row: E) =>
  ({ ...row, success: [row.success[0], row.streamed] }) as unknown as Omit<E, 'success'> & {
    success: readonly [number, E['streamed'] extends { stream: Stream } ? E['streamed'] : never]
  }

/**
 * A file of any size instead of a body, read while it comes: as the body itself, in one of these
 * content types, or in a `multipart/form-data` field.
 */
export interface FileBody {
  field: string
  types: readonly string[]
}

/** What a row says beyond our own ways, where another protocol lays down the bodies. */
export interface Protocol {
  /** What there is to know about speaking it. */
  about?: string
  /** The content type of the body; JSON unless given. */
  body?: string
  /** The content type of the answer; JSON unless given. */
  answer?: string
}

/** One row of the contract: everything that the server, its description and its clients know of an endpoint. */
export interface Endpoint<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TObject | undefined = TObject | undefined,
  R extends Success = Success,
  C extends Credential = Credential,
  F extends FileBody | undefined = FileBody | undefined,
  S extends { stream: Stream } | undefined = { stream: Stream } | undefined,
> {
  /** The operation's name in the API description. */
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
  /** A file in a `multipart/form-data` field, instead of a body. */
  upload: { field: string; maxBytes: number } | undefined
  file: F
  success: readonly [status: number, body: R]
  /** Answered instead to a request whose `Accept` names its type. */
  streamed: S
  /** The error statuses of this endpoint beyond 401 (by credential), 422 (by schemas) and 500. */
  errors: readonly number[]
  /** The bodies of errors that answer otherwise than their status does elsewhere. */
  errorBodies: Readonly<Record<number, TSchema>>
  /** Counted by the auth limiter: 5 a minute and client address (contract, section 8). */
  authLimited: boolean
  /** Only for callers who have verified their email address; others are answered 403 (contract 7.4). */
  requiresVerifiedEmail: boolean
  /** Only for admins; others are answered 403 (contract 7.4). */
  adminOnly: boolean
  /** Another protocol than ours: it is served by code of its own, which checks what comes. */
  protocol: Protocol | undefined
}

const Nothing = Type.Object({})
type Nothing = typeof Nothing

type Row<
  P extends TObject,
  Q extends TObject,
  B extends TObject | undefined,
  R extends Success,
  C extends Credential,
  F extends FileBody | undefined,
  S extends { stream: Stream } | undefined,
> = Pick<Endpoint, 'name' | 'method' | 'path' | 'tag' | 'summary'> &
  Partial<
    Pick<
      Endpoint,
      | 'errors'
      | 'errorBodies'
      | 'authLimited'
      | 'requiresVerifiedEmail'
      | 'adminOnly'
      | 'upload'
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
  }

export const endpoint = <
  R extends Success,
  const C extends Credential,
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
  streamed: row.streamed as S,
  errors: row.errors ?? [],
  errorBodies: row.errorBodies ?? {},
  authLimited: row.authLimited ?? false,
  requiresVerifiedEmail: row.requiresVerifiedEmail ?? false,
  adminOnly: row.adminOnly ?? false,
  protocol: row.protocol,
})

/** What an endpoint answers on success. */
export type Answer<E extends Endpoint> = E['success'][1] extends TSchema
  ? Static<E['success'][1]>
  : E['success'][1] extends { stream: Stream<infer T> }
    ? AsyncIterable<Static<T>>
    : undefined

/** What it answers instead to whoever accepts a stream. */
export type StreamedAnswer<E extends Endpoint> = E['streamed'] extends { stream: Stream<infer T> }
  ? AsyncIterable<Static<T>>
  : never
