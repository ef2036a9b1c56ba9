import { Elysia } from 'elysia'
import { contract, openEndpoints, protocols } from '../shared/contract/index.ts'
import { errorText } from '../shared/errors.ts'
import { asDeletedUserError } from './account/users/errors.ts'
import type { Serving } from './feature.ts'
import { errorFormats } from './features.ts'
import { MCP_HEADERS, MCP_PATH } from './mcp/admission.ts'
import type { HttpContext } from './platform/http/context.ts'
import { serveCors } from './platform/http/cors.ts'
import { serveDocs } from './platform/http/docs.ts'
import { ApiError, asDatabaseError, defineErrors } from './platform/http/error.ts'
import { mountingRaw } from './platform/http/mounts.ts'
import { describeApi } from './platform/http/openapi/api.ts'
import { missingPage, mountingPages } from './platform/http/page.ts'
import { mounting } from './platform/http/route.ts'
import { checkHostHeader, pathOf } from './platform/http/url.ts'
import type { Log } from './platform/log.ts'
import type { Metrics } from './platform/metrics.ts'
import type { Duties } from './platform/role.ts'
import { endRequestSpan, traceRequests } from './platform/telemetry.ts'
import { storageFailure, type WriteWatch } from './platform/writes.ts'
import type { Started, StartedFeature } from './services.ts'
import { healthRoutes } from './system/health/service.ts'
import { type MetricsOptions, serveMetrics } from './system/metrics/metrics.ts'

const featureError = defineErrors({
  feature_off: (option: string) => ({
    status: 404,
    detail: `The operator of this server has turned off the feature ${option} (SVC_FEATURES)`,
  }),
})

export interface AppOptions {
  duties: Duties
  /** Aborted when the server begins to stop. */
  stopping: AbortSignal
  /** Undefined without `SVC_METRICS_TOKEN`: `/metrics` is not served. */
  metrics?: MetricsOptions | undefined
  baseUrl: string
  frontendOrigins: string[]
  http: HttpContext
}

interface StartedApp extends Pick<Started, 'features'> {
  core: Pick<Started['core'], 'writes'>
  services: Pick<Started['services'], 'health'>
}

export type App = ReturnType<typeof createApp>

/**
 * Creates the app: hooks of every request, health and metrics, and if this server serves the API, the
 * endpoints and pages of each domain.
 */
export const createApp = ({ core, features, services }: StartedApp, options: AppOptions) => {
  const { metrics, http, duties, stopping } = options
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
  addHooks(app, http, core.writes, { metrics: metrics?.metrics, stopping })
  if (duties.servesApi) serveApi(app, features, options)
  else healthRoutes(mounting(app, http), services.health)
  if (metrics) serveMetrics(app, metrics)
  return app
}

/** Serves every endpoint of the contract, the pages and the console. */
const serveApi = (
  app: Elysia,
  features: readonly StartedFeature[],
  { baseUrl, frontendOrigins, http }: AppOptions,
): void => {
  serveCors(app, {
    frontendOrigins,
    headers: MCP_HEADERS,
    openPaths: new Set(openEndpoints.map(({ path }) => path)),
  })
  const off = new Set(features.flatMap(({ feature, isOn }) => (isOn ? [] : (feature.rows ?? []))))
  const rows = [...contract, ...protocols].filter((row) => !off.has(row))
  serveDocs(app, describeApi(rows, baseUrl), baseUrl)

  const serving: Serving = {
    app,
    http,
    baseUrl,
    mcpUrl: `${baseUrl}${MCP_PATH}`,
    mount: mounting(app, http),
    mountPage: mountingPages(app, http),
    mountRaw: mountingRaw(app, http),
  }
  for (const { feature, isOn, service } of features)
    if (isOn) feature.serve?.(serving, service)
    else
      for (const row of feature.rows ?? [])
        serving.mountRaw({ ...row, queue: 'none' }, () => {
          throw featureError('feature_off', feature.option ?? feature.name)
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
  { log, requestLevel, requestRate, basePath }: HttpContext,
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
      requestRate.countRequest()
      startedAt.set(request, performance.now())
      checkHostHeader(request)
    })
    .onError(({ error: thrown, code, request, set }) => {
      const path = pathOf(request.url)
      const format = errorFormats.find(({ isAt }) => isAt(path))
      const found = format && code === 'NOT_FOUND' ? format.notFound() : asDeletedUserError(thrown)
      const error = format ? format.convert(found) : asDatabaseError(found)
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
