/** Sends a request, as `fetch` does. */
export type Send = (url: URL, init: RequestInit) => Promise<Response>

/** The access token of a client; undefined without a session. */
export interface Tokens {
  current(): Promise<string | undefined>
  /** Requests a new token after the server refused one. */
  renew(refused: string): Promise<string | undefined>
}

/** Sends requests with the access token; a 401 requests a new one and repeats the request once. */
export const sendWithToken =
  (send: Send, { current, renew }: Tokens): Send =>
  async (url, init) => {
    const token = await unlessAborted(current(), init.signal)
    if (token === undefined) return send(url, init)
    const response = await send(url, authorized(init, token))
    if (response.status !== 401 || !isRepeatable(init)) return response
    const renewed = await unlessAborted(renew(token), init.signal)
    return renewed === undefined ? response : send(url, authorized(init, renewed))
  }

/** Other requests may wait for the same token, so an aborted one stops waiting and does not end the work. */
const unlessAborted = <T>(work: Promise<T>, signal: RequestInit['signal']): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal?.reason)
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort)
    work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', abort))
  })

const authorized = (init: RequestInit, token: string): RequestInit => {
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${token}`)
  return { ...init, headers }
}

/** A stream can be sent once only, so such a request is not repeated. */
const isRepeatable = ({ body }: RequestInit): boolean => !(body instanceof ReadableStream)

/** Parallel calls share one request. */
export const singleFlight = <T>(request: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | undefined
  return () => {
    running ??= request().finally(() => {
      running = undefined
    })
    return running
  }
}

/**
 * Tabs refresh one after the other: a cookie that is older than the last two ends the session. Browsers
 * offer locks in secure contexts only; other runtimes need none.
 */
export const withRefreshLock = <T>(request: () => Promise<T>): Promise<T> => {
  const locks = globalThis.navigator?.locks
  return locks && 'document' in globalThis ? locks.request('svc-refresh', request) : request()
}
