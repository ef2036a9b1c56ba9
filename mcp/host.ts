import type { ApiFailure, Client } from '../shared/client.ts'

/** A failed call. The message names the problem and the fix, for the model and its user. */
export class ToolCallError extends Error {
  override name = 'ToolCallError'
}

export interface CallOptions {
  /** Timeout in milliseconds until the response starts. */
  timeoutMs?: number
}

/** The process that the tools run in: how they call the API, and how failures are described. */
export interface ToolHost {
  /** Calls the API once. @throws ToolCallError */
  call<T>(work: (client: Client) => Promise<T>, options?: CallOptions): Promise<T>
  /** Whether there is a credential. Without one every call fails. */
  isSignedIn(): boolean
  /** The address of the server that the API belongs to. */
  serverUrl(): string
  /** The project that the client works in; undefined where it is not known. */
  project?: string | undefined
}

/** The response does not match the contract. */
export class UnexpectedResponse extends Error {
  override name = 'UnexpectedResponse'
}

/**
 * The problem and its fix for a failure that the arguments or limits of the call caused.
 * @returns undefined for failures of the credential or the server, which depend on the host.
 */
export const adviseOnFailure = (failure: ApiFailure): string | undefined => {
  const { status, message } = failure
  if (status === 422) return `Invalid arguments: ${message}. Correct them and call again.`
  if (status === 429) return adviseLimit(failure)
  if (status === 401 || status >= 500 || status < 400) return undefined
  const url = upgradeUrl(failure)
  return url ? `${sentence(message)} See ${url}` : message
}

/** Waiting helps with a rate limit, but not with a monthly quota. */
const adviseLimit = (failure: ApiFailure): string => {
  const url = upgradeUrl(failure)
  const message = sentence(failure.message)
  if (url) return `${message} See ${url}`
  // With Retry-After the message already names the wait.
  return failure.retryAfter === undefined ? `${message} Wait a minute and call again.` : message
}

const upgradeUrl = ({ detail }: ApiFailure): string | undefined => {
  const url = (detail as { upgrade_url?: unknown } | null | undefined)?.upgrade_url
  return typeof url === 'string' ? url : undefined
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
