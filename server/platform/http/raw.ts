import type { Elysia } from 'elysia'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import { type Client, clientOf, type HttpContext } from './route.ts'

export interface RawCall {
  request: Request
  client: Client
  /** Lets the answer take minutes, where a request is else given up after 30 seconds. */
  takeTime(): void
}

export type RawHandler = (call: RawCall) => Promise<Response> | Response

/** Attaches what another protocol lays down to the last byte. */
export type MountRaw = (row: Pick<Endpoint, 'method' | 'path'>, handle: RawHandler) => void

export const mountingRaw =
  (app: Elysia, http: HttpContext): MountRaw =>
  ({ method, path }, handle) => {
    app.route(
      method,
      path,
      ({ request, server }) =>
        handle({
          request,
          client: clientOf(request, http, server),
          takeTime: () => server?.timeout(request, 0),
        }),
      { config: {}, parse: 'none', detail: { hide: true } },
    )
  }
