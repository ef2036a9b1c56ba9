import { Elysia } from 'elysia'
import { contract, openEndpoints, protocols } from '../shared/contract/index.ts'
import { errorText } from '../shared/errors.ts'
import { asScimError, isScimPath, notFound } from './account/organizations/scim/errors.ts'
import { serveAccount } from './account/routes.ts'
import { deletionRoutes } from './account/users/deletion.ts'
import { asDeletedUserError } from './account/users/errors.ts'
import { serveAdmin } from './admin/admin.ts'
import { serveAutomation } from './automation/routes.ts'
import { serveBilling } from './billing/routes.ts'
import { serveConversation } from './conversation/routes.ts'
import { MCP_HEADERS, MCP_PATH } from './mcp/admission.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { serveMemory } from './memory/routes.ts'
import { servePeople } from './people/routes.ts'
import type { HttpContext } from './platform/http/context.ts'
import { serveCors } from './platform/http/cors.ts'
import { serveDocs } from './platform/http/docs.ts'
import { ApiError, asDatabaseError } from './platform/http/error.ts'
import { type Mounts, mountingRaw } from './platform/http/mounts.ts'
import { describeApi } from './platform/http/openapi/api.ts'
import { missingPage, mountingPages, servePageScripts } from './platform/http/page.ts'
import { mounting } from './platform/http/route.ts'
import { serveTypeface } from './platform/http/typeface.ts'
import { checkHostHeader, pathOf } from './platform/http/url.ts'
import type { Log } from './platform/log.ts'
import type { Metrics } from './platform/metrics.ts'
import type { Duties } from './platform/role.ts'
import { endRequestSpan, traceRequests } from './platform/telemetry.ts'
import { storageFailure, type WriteWatch } from './platform/writes.ts'
import { contextRoutes } from './prompt/context/service.ts'
import type { Services } from './services.ts'
import { activityRoutes } from './system/activity/service.ts'
import { backupRoutes } from './system/backup/service.ts'
import { serveConsole } from './system/console/pages.ts'
import { healthRoutes } from './system/health/service.ts'
import { type MetricsAccess, serveMetrics } from './system/metrics/metrics.ts'

export interface AppSettings {
  duties: Duties
  /** Aborted when the server begins to stop. */
  stopping: AbortSignal
  /** Undefined without `SVC_METRICS_TOKEN`: `/metrics` is not served. */
  metrics?: MetricsAccess | undefined
  baseUrl: string
  frontendOrigins: string[]
  http: HttpContext
}

export type App = ReturnType<typeof createApp>

/**
 * Creates the app: hooks of every request, health and metrics, and if this server serves the API, the
 * endpoints and pages of each domain.
 */
export const createApp = (services: Services, settings: AppSettings) => {
  const { metrics, http, duties, stopping } = settings
  const app = new Elysia({
    normalize: false,
    serve: {
      // The readers of bodies enforce the limits. Bun's own 413 has no request id and no JSON body.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      idleTimeout: 30,
      // Bun's development page shows paths and stack traces of the server.
      development: false,
      error: (error) => respondOutsideApp(error, http.log),
    },
  })
  traceRequests(app, http.isTrustedProxy)
  addHooks(app, http, services.writes, { metrics: metrics?.metrics, stopping })
  if (duties.servesApi) serveApi(app, services, settings)
  else healthRoutes(mounting(app, http), services.health)
  if (metrics) serveMetrics(app, metrics)
  return app
}

/** Serves every endpoint of the contract, the pages and the console. */
const serveApi = (
  app: Elysia,
  services: Services,
  { baseUrl, frontendOrigins, http }: AppSettings,
): void => {
  serveCors(app, {
    frontendOrigins,
    headers: MCP_HEADERS,
    openPaths: new Set(openEndpoints.map(({ path }) => path)),
  })
  serveDocs(app, describeApi([...contract, ...protocols], baseUrl), baseUrl)

  const mountPage = mountingPages(app, http)
  const mounts: Mounts = { mount: mounting(app, http), mountPage, mountRaw: mountingRaw(app, http) }
  const { account, deletion, health } = services
  const { limiter } = http
  const mcpUrl = `${baseUrl}${MCP_PATH}`
  serveAccount(mounts, account, { baseUrl, mcpUrl, limiter })
  deletionRoutes(mounts.mount, deletion)
  serveMemory(mounts, services.memory)
  contextRoutes(mounts.mount, services.contexts)
  serveConversation(mounts, services.conversation, http)
  servePeople(mounts, services.people)
  serveAutomation(mounts, services.automation)
  serveBilling(mounts, services.billing)
  serveAdmin(mounts, services.admin)
  backupRoutes(mounts.mount, services.backups)
  activityRoutes(mounts.mount, services.activityReader)
  healthRoutes(mounts.mount, health)
  servePageScripts(app)
  serveTypeface(app)
  serveConsole(app, services.consoleAssets, http.basePath)
  mcpRoutes(mounts.mountRaw, {
    dispatch: async (request) => app.fetch(request),
    http,
    baseUrl,
    grants: account.grants,
    answers: services.mcpAnswers,
    stateKeys: services.mcpStateKeys,
  })
}

/** Responds to an error that the app did not handle, such as an error of its error handler. */
const respondOutsideApp = (error: unknown, log: Log): Response => {
  const id = crypto.randomUUID()
  log.error({ request_id: id, error }, 'request failed outside the app')
  return Response.json(
    { detail: errorText.internal },
    { status: 500, headers: { ...DEFAULT_HEADERS, 'x-request-id': id } },
  )
}

/**
 * Default headers of every response. Most responses are for one caller only; public responses set their
 * own `cache-control`.
 */
const DEFAULT_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** Sets the request id, converts errors to responses (contract 7) and logs every request. */
const addHooks = (
  app: Elysia,
  { log, requestLevel, activity, basePath }: HttpContext,
  writes: WriteWatch,
  { metrics, stopping }: { metrics: Metrics | undefined; stopping: AbortSignal },
): void => {
  const startedAt = new WeakMap<Request, number>()
  const reasons = new WeakMap<Request, string | undefined>()
  app
    .onRequest(({ request, set }) => {
      Object.assign(set.headers, DEFAULT_HEADERS, { 'x-request-id': crypto.randomUUID() })
      // A proxy keeps the connection for later requests, which would find it closed.
      if (stopping.aborted) set.headers.connection = 'close'
      activity.countRequest()
      startedAt.set(request, performance.now())
      checkHostHeader(request)
    })
    .onError(({ error: thrown, code, request, set }) => {
      const isScim = isScimPath(pathOf(request.url))
      const found = isScim && code === 'NOT_FOUND' ? notFound() : asDeletedUserError(thrown)
      const error = isScim ? asScimError(found) : asDatabaseError(found)
      set.headers['content-type'] = 'application/json'
      if (error instanceof ApiError) {
        set.status = error.status
        Object.assign(set.headers, error.headers)
        reasons.set(request, error.reason)
        if (error.cause)
          log.warn({ request_id: set.headers['x-request-id'], cause: error.cause }, error.message)
        return JSON.stringify(error.body)
      }
      if (code === 'NOT_FOUND') {
        set.status = 404
        return missingPage(request, basePath) ?? JSON.stringify({ detail: errorText.notFound })
      }
      const failure = storageFailure(error)
      if (failure) {
        writes.report(failure)
        const id = set.headers['x-request-id']
        log.error({ request_id: id, error, fault: failure }, 'write failed')
        set.status = 503
        return JSON.stringify({ detail: `Writes fail: ${failure}` })
      }
      set.status = 500
      log.error({ request_id: set.headers['x-request-id'], error }, 'request failed')
      return JSON.stringify({ detail: errorText.internal, path: pathOf(request.url) })
    })
    .onAfterResponse(({ request, set, route }) => {
      const ms = performance.now() - (startedAt.get(request) ?? 0)
      const served = {
        method: request.method,
        route: route || 'unknown',
        status: set.status ?? 200,
      }
      metrics?.observeRequest(served, ms)
      endRequestSpan(served)
      log[requestLevel](
        {
          request_id: set.headers['x-request-id'],
          ...served,
          reason: reasons.get(request),
          ms: Math.round(ms * 10) / 10,
        },
        'request',
      )
    })
}
