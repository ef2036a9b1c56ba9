import type { Client } from '../shared/client.ts'

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
}

/** The response does not match the contract. */
export class UnexpectedResponse extends Error {
  override name = 'UnexpectedResponse'
}
