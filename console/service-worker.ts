/**
 * The service worker of the console. It keeps the page and its scripts, so that every screen opens while the
 * server does not answer; what a screen shows comes from the API, which it leaves alone.
 */
export {}

/** The files of this build; `build.ts` replaces it. */
declare const CONSOLE_FILES: readonly string[]
/** Differs from build to build; `build.ts` replaces it. */
declare const CONSOLE_VERSION: string

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}
/** Of the library `webworker`, which cannot be beside `dom`. */
interface ServiceWorkerScope {
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
}
declare const self: ServiceWorkerScope & { readonly clients: { claim(): Promise<void> } }

// Below the path that a proxy strips.
const PAGE = new URL('.', location.href).pathname.replace(/\/$/, '')
const ASSETS = `${PAGE}/assets/`
const PREFIX = 'svc-console-'
const CACHE = `${PREFIX}${CONSOLE_VERSION}`
/** A frozen server accepts connections and does not answer. */
const PAGE_TIMEOUT_MS = 4_000

const install = async (): Promise<void> => {
  const cache = await caches.open(CACHE)
  await cache.addAll([PAGE, ...CONSOLE_FILES.map((file) => `${ASSETS}${file}`)])
}

/** Runs when no tab uses the files of earlier builds any more, and for the tab that installed the first one. */
const activate = async (): Promise<void> => {
  await self.clients.claim()
  for (const name of await caches.keys())
    if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name)
}

/** The page of the server, which may be newer; without an answer, or behind a proxy without one, that of this build. */
const page = async (request: Request): Promise<Response> => {
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(PAGE_TIMEOUT_MS) })
    if (![502, 503, 504].includes(response.status)) return response
    return (await caches.match(PAGE)) ?? response
  } catch (error) {
    const kept = await caches.match(PAGE)
    if (kept) return kept
    throw error
  }
}

/** The names have a hash of the content: a kept file is current. */
const asset = async (request: Request): Promise<Response> =>
  (await caches.match(request)) ?? fetch(request)

self.addEventListener('install', (event) => event.waitUntil(install()))
self.addEventListener('activate', (event) => event.waitUntil(activate()))
self.addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url)
  if (event.request.mode === 'navigate') event.respondWith(page(event.request))
  else if (pathname.startsWith(ASSETS)) event.respondWith(asset(event.request))
})
