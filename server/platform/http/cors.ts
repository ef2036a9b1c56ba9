import { cors } from '@elysiajs/cors'
import type { Elysia } from 'elysia'
import { pathOf } from './url.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const ALLOWED = ['Authorization', 'Content-Type', 'X-API-Key', 'X-Org-ID', 'X-Timezone']
const EXPOSED = ['X-Request-ID', 'Retry-After', 'WWW-Authenticate', 'Mcp-Session-Id']
const MAX_AGE_SECONDS = 600

interface CorsOptions {
  /** The origins that may send cookies. */
  frontendOrigins: readonly string[]
  /** The paths that read no cookie, so that a page of any origin gets no more than a program. */
  openPaths: ReadonlySet<string>
  /** Request headers that are allowed beside those of the API. */
  headers: readonly string[]
}

/**
 * Lets pages of other origins read responses (CORS): those of `frontendOrigins` with cookies, and those of any
 * origin without credentials on `openPaths`.
 */
export const serveCors = (
  app: Elysia,
  { frontendOrigins, openPaths, headers }: CorsOptions,
): void => {
  const allowedHeaders = [...ALLOWED, ...headers]
  const open = {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': METHODS.join(', '),
    'access-control-allow-headers': allowedHeaders.join(', '),
    'access-control-expose-headers': EXPOSED.join(', '),
    vary: 'Origin',
  }
  app.onRequest(({ request, set }) => {
    const origin = request.headers.get('origin')
    if (origin === null) return
    if (frontendOrigins.includes(origin)) {
      set.headers['access-control-allow-credentials'] = 'true'
      return
    }
    if (!openPaths.has(pathOf(request.url))) return
    if (request.method === 'OPTIONS')
      return new Response(null, {
        status: 204,
        headers: { ...open, 'access-control-max-age': `${MAX_AGE_SECONDS}` },
      })
    Object.assign(set.headers, open)
  })
  app.use(
    cors({
      origin: (request) => frontendOrigins.includes(request.headers.get('origin') ?? ''),
      methods: [...METHODS],
      allowedHeaders,
      exposeHeaders: EXPOSED,
      // Sets the header for every origin.
      credentials: false,
      maxAge: MAX_AGE_SECONDS,
    }),
  )
}
