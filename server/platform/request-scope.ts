import { AsyncLocalStorage } from 'node:async_hooks'

/** The request that code runs for, from the route down to each statement. */
export interface RequestScope {
  /** Creating the signal has a cost, so only slow statements read it. */
  readonly client: { readonly signal: AbortSignal }
  /** The user; undefined until the credential was checked. */
  account?: string
  /** Whether it only reads, so that its statements end when the client disconnects. */
  isRead: boolean
  /** Its place among those that run; none for a request that always runs. */
  place?: { leave(): void; enter(): void } | undefined
}

const scopes = new AsyncLocalStorage<RequestScope | undefined>()

export const currentRequest = (): RequestScope | undefined => scopes.getStore()

/** Whether an error is the reason for which the current request is aborted, as when its client disconnects. */
export const isDisconnect = (error: unknown): boolean => {
  const signal = currentRequest()?.client.signal
  return signal?.aborted === true && error === signal.reason
}

export const runRequest = <T>(scope: RequestScope, work: () => T): T => scopes.run(scope, work)

/** Runs the producer of a stream, which its reader calls, for the request. */
export const runStream = <T>(
  scope: RequestScope,
  values: AsyncIterable<T>,
): AsyncIterable<T> & AsyncIterator<T> => {
  const iterator = values[Symbol.asyncIterator]()
  const produced = {
    next: () => scopes.run(scope, () => iterator.next()),
    return: () =>
      scopes.run(scope, async () => {
        await iterator.return?.()
        return { done: true as const, value: undefined }
      }),
    [Symbol.asyncIterator]: () => produced,
  }
  return produced
}

/** Runs a part of a request that waits for something other than this server, and lets another one run meanwhile. */
export const runElsewhere = async <T>(work: () => Promise<T>): Promise<T> => {
  const place = scopes.getStore()?.place
  place?.leave()
  try {
    return await work()
  } finally {
    place?.enter()
  }
}

/** Runs a part of a request that only reads. */
export const runRead = <T>(work: () => T): T => {
  const scope = scopes.getStore()
  return scope && !scope.isRead ? scopes.run({ ...scope, isRead: true }, work) : work()
}

/** Runs work that other requests wait for, too, so that it does not end with this one. */
export const runShared = <T>(work: () => T): T => scopes.run(undefined, work)

const NO_CLIENT = { signal: new AbortController().signal }

/** Runs a write of several requests, with the share of the connections that an account gets. */
export const runSharedWrite = <T>(work: () => T): T =>
  scopes.run({ client: NO_CLIENT, account: 'shared writes', isRead: false }, work)
