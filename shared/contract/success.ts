import type { TSchema } from '@sinclair/typebox'

/** NDJSON (one JSON value per line) or server-sent events. */
export type StreamType = 'application/x-ndjson' | 'text/event-stream'

/** A streamed response: each part is sent as soon as it exists, at the pace of the reader. */
export interface Stream<T extends TSchema = TSchema> {
  type: StreamType
  /** The schema of each part. */
  part: T
}

/** A JSON body, a stream, or no body. */
export type Success = TSchema | { stream: Stream } | null

export const isStream = (success: Success): success is { stream: Stream } =>
  success !== null && 'stream' in success
