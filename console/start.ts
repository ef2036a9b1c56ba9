/**
 * Requests the access token before the other scripts have loaded: the page has this file inline, without imports.
 * `session/token.ts` takes the response. A classic script runs at once, while modules wait for those that are compiled.
 */
export {}

declare global {
  /** The response to the first refresh; undefined without one. */
  var svcFirstToken: Promise<Response | undefined> | undefined
}

/** That of the client of the console. */
const TIMEOUT_MS = 30_000

const request = (): Promise<Response> =>
  fetch(`${document.documentElement.dataset.base ?? ''}/api/auth/refresh`, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })

// With the lock of the console, so that another tab does not refresh meanwhile.
globalThis.svcFirstToken ??= (
  navigator.locks ? navigator.locks.request('svc-refresh', request) : request()
).catch(() => undefined)
