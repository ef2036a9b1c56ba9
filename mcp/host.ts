import type { Client } from '../shared/client.ts'

/** What went wrong and what to do about it, for the model and the person it works for. */
export class Advice extends Error {
  override name = 'Advice'
}

export interface CallSettings {
  /** Milliseconds until a call that has not begun to answer is given up. */
  timeoutMs?: number
}

/** Where the tools run: whom they call, and what to tell when that fails. */
export interface Host {
  /** Does one call of the service. @throws Advice when it fails. */
  call<T>(work: (client: Client) => Promise<T>, settings?: CallSettings): Promise<T>
  /** Whether there is a credential at all; without one a call only says how to get one. */
  isSignedIn(): boolean
}

/** The server answered with something that is not in the contract. */
export class UnknownAnswer extends Error {
  override name = 'UnknownAnswer'
}
