import { cors } from '@elysiajs/cors'
import { Elysia } from 'elysia'
import { contract, protocols } from '../shared/contract/index.ts'
import { errorText } from '../shared/errors.ts'
import { deletionRoutes } from './account/deletion/routes.ts'
import { serveAccount } from './account/routes.ts'
import { refusedAsGone } from './account/users/gone.ts'
import { serveAdministration } from './admin/routes.ts'
import { serveAutomation } from './automation/routes.ts'
import { serveBilling } from './billing/routes.ts'
import { serveConversation } from './conversation/routes.ts'
import { MCP_HEADERS, MCP_PATH } from './mcp/endpoint/path.ts'
import { mcpRoutes } from './mcp/endpoint/routes.ts'
import { serveMemory } from './memory/routes.ts'
import { servePeople } from './people/routes.ts'
import { serveDocs } from './platform/http/docs.ts'
import { ApiError } from './platform/http/error.ts'
import type { Mounts } from './platform/http/mounts.ts'
import { describeApi } from './platform/http/openapi.ts'
import { mountingPages } from './platform/http/page.ts'
import { mountingRaw } from './platform/http/raw.ts'
import { type HttpContext, mounting } from './platform/http/route.ts'
import type { Services } from './services.ts'
import { healthRoutes } from './system/health/routes.ts'
import { homePages } from './system/home/pages.ts'

export interface AppSettings {
  baseUrl: string
  frontendOrigins: string[]
  http: HttpContext
}

/** Assembles the app: what every request passes, then each domain's endpoints and pages. */
export const createApp = (services: Services, { baseUrl, frontendOrigins, http }: AppSettings) => {
  const app = new Elysia({
    normalize: false,
    // Bodies are measured where they are read: what Bun refuses itself has no request id and no JSON.
    serve: { maxRequestBodySize: Number.MAX_SAFE_INTEGER, idleTimeout: 30 },
  })
  observe(app, http)
  app.use(
    cors({
      origin: ({ headers }) => frontendOrigins.includes(headers.get('origin') ?? ''),
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowedHeaders: [
        'Authorization',
        'Content-Type',
        'X-API-Key',
        'X-Org-ID',
        'X-Timezone',
        ...MCP_HEADERS,
      ],
      exposeHeaders: ['X-Request-ID', 'Retry-After', 'WWW-Authenticate', 'Mcp-Session-Id'],
      credentials: true,
      maxAge: 600,
    }),
  )
  serveDocs(app, describeApi([...contract, ...protocols], baseUrl))

  const mountPage = mountingPages(app, http)
  const to: Mounts = { mount: mounting(app, http), mountPage, mountRaw: mountingRaw(app, http) }
  const { account, deletion, health } = services
  const { limits } = http
  const mcpUrl = `${baseUrl}${MCP_PATH}`
  serveAccount(to, account, { baseUrl, mcpUrl, limits })
  deletionRoutes(to.mount, deletion)
  serveMemory(to, services.memory)
  serveConversation(to, services.conversation)
  servePeople(to, services.people, { sessions: account.sessions, limits })
  serveAutomation(to, services.automation)
  serveBilling(to, services.billing)
  serveAdministration(to, services.admin)
  healthRoutes(to.mount, health)
  homePages(mountPage)
  mcpRoutes(to.mountRaw, {
    dispatch: async (request) => app.fetch(request),
    http,
    baseUrl,
    authorization: account.authorization,
  })
  return app
}

/** Gives every request its id, every error the contract's body, and every answer a line in the log. */
const observe = (app: Elysia, { log }: HttpContext): void => {
  const startedAt = new WeakMap<Request, number>()
  app
    .onRequest(({ request, set }) => {
      set.headers['x-request-id'] = crypto.randomUUID()
      startedAt.set(request, performance.now())
    })
    .onError(({ error: thrown, code, request, set }) => {
      const error = refusedAsGone(thrown)
      set.headers['content-type'] = 'application/json'
      if (error instanceof ApiError) {
        set.status = error.status
        Object.assign(set.headers, error.headers)
        if (error.cause)
          log.warn({ request_id: set.headers['x-request-id'], cause: error.cause }, error.message)
        return JSON.stringify(error.body)
      }
      if (code === 'NOT_FOUND') {
        set.status = 404
        return JSON.stringify({ detail: errorText.notFound })
      }
      set.status = 500
      log.error({ request_id: set.headers['x-request-id'], error }, 'request failed')
      return JSON.stringify({ detail: errorText.internal, path: new URL(request.url).pathname })
    })
    .onAfterResponse(({ request, set, route }) => {
      log.info(
        {
          request_id: set.headers['x-request-id'],
          method: request.method,
          route: route || 'unknown',
          status: set.status,
          ms: Math.round((performance.now() - (startedAt.get(request) ?? 0)) * 10) / 10,
        },
        'request',
      )
    })
}
