import type { Elysia } from 'elysia'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import { readJson, readText } from './body.ts'
import { clientOf, type HttpContext, type RequestClient } from './context.ts'
import type { MountPage } from './page.ts'
import { type Mount, routedPath } from './route.ts'

/** How a domain attaches its endpoints and pages. */
export interface Mounts {
  mount: Mount
  mountPage: MountPage
  mountRaw: MountRaw
}

export interface RawCall {
  request: Request
  /** The parameters of the path, decoded. */
  params: Readonly<Record<string, string>>
  client: RequestClient
  /** The path of the server's address. */
  basePath: string
  /** The body as JSON. @throws ApiError as `readJson`. */
  json(): Promise<unknown>
  /** The body as text. @throws ApiError as `readText`. */
  text(maxBytes: number): Promise<string>
  /** Removes the idle timeout of 30 seconds for this request. */
  disableIdleTimeout(): void
}

export type RawHandler = (call: RawCall) => Promise<Response> | Response

/**
 * Attaches an endpoint whose request and response another protocol defines. Without a queue, its requests never
 * wait for others.
 */
export type MountRaw = (
  row: Pick<Endpoint, 'method' | 'path'> & Partial<Pick<Endpoint, 'queue'>>,
  handle: RawHandler,
) => void

export const mountingRaw =
  (app: Elysia, http: HttpContext): MountRaw =>
  ({ method, path, queue = 'none' }, handle) => {
    app.route(
      method,
      routedPath(path),
      ({ request, params, server }) =>
        http.admission.run(queue, request, () =>
          handle({
            request,
            params,
            client: clientOf(request, http, server),
            basePath: http.basePath,
            json: () => readJson(request, http.bodyPace),
            text: (maxBytes) => readText(request, maxBytes, http.bodyPace),
            disableIdleTimeout: () => server?.timeout(request, 0),
          }),
        ),
      { config: {}, parse: 'none', detail: { hide: true } },
    )
  }
