import type { SessionOptions } from './session.ts'

export interface ClientOptions extends SessionOptions {
  /** Default: `SVC_URL` of the environment, or `http://localhost:3000`. A browser has no default. */
  baseUrl?: string | undefined
  /**
   * An API key. Default: `SVC_API_KEY` of the environment, if there is no `baseUrl` and no token. Without one, the
   * client uses the session of a sign-in.
   */
  apiKey?: string | undefined
  /** The organization to act in. Default: that of the key, or the user's default. */
  orgId?: string | undefined
  /** The time zone of the user, such as `Europe/Lisbon`. Default: that of this machine. */
  timezone?: string | undefined
  /**
   * Milliseconds until a response must be complete; a stream or a download must have started. 0 and `Infinity` are no
   * limit, and uploads have none. Default: 30,000, and 600,000 where a model answers.
   */
  timeoutMs?: number | undefined
  /**
   * The longest silence of a started stream of events, in milliseconds; 0 and `Infinity` are no limit. Default:
   * 60,000. The server sends a comment every 15 seconds.
   */
  silenceMs?: number | undefined
  /** The number of retries after failures that pass. Default: 2. */
  maxRetries?: number | undefined
  /** The longest wait before a retry, in milliseconds. Default: 30,000. */
  maxRetryWaitMs?: number | undefined
  /** The `User-Agent` header; browsers send their own. */
  userAgent?: string | undefined
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: ((url: URL, init: RequestInit) => Promise<Response>) | undefined
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call, or the stream that it returned. */
  signal?: AbortSignal | undefined
  /** Replaces that of the client. */
  timeoutMs?: number | undefined
  /** Replaces that of the client. */
  orgId?: string | undefined
}
