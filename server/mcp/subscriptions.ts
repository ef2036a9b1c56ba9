import {
  createMcpHandler,
  type McpHttpHandler,
  type McpServer,
  type ServerEventBus,
} from '@modelcontextprotocol/server'
import { watchActivity } from '../../mcp/activity.ts'
import type { ToolHost } from '../../mcp/host.ts'
import { ApiError } from '../platform/http/error.ts'

/** A subscription checks its credential before events, at most so often; and after so long without any. */
const CHECK_MS = 1_000
const IDLE_CHECK_MS = 15_000

interface Listener {
  host: ToolHost
  build(): McpServer
  /** Finds the caller of the request again. @throws when its credential has ended. */
  readmit(): Promise<void>
  /** The addresses of its threads and tags. */
  groups: readonly string[]
}

/**
 * Serves one subscription. Its bus is its own, so that no client hears of the activity of others.
 * @param serve passes the request to a handler.
 * @returns the response, and a function that ends it.
 */
export const serveListener = async (
  { host, build, readmit, groups }: Listener,
  serve: (handler: McpHttpHandler) => Promise<Response>,
): Promise<{ response: Response; close: () => Promise<void> }> => {
  let checkedAt = performance.now()
  const check = async (ageMs: number) => {
    if (performance.now() - checkedAt < ageMs) return
    await readmit().catch((error: unknown) => {
      if (error instanceof ApiError && error.status < 500) void handler.close()
      throw error
    })
    checkedAt = performance.now()
  }
  const bus: ServerEventBus = {
    // Only the activity is published.
    publish: () => {},
    subscribe(publish) {
      const controller = new AbortController()
      const { signal } = controller
      const timer = setInterval(() => check(IDLE_CHECK_MS).catch(() => {}), IDLE_CHECK_MS)
      const watcher = {
        publish,
        signal,
        groups: () => groups,
        check: () => check(CHECK_MS),
      }
      watchActivity(host, watcher).catch(() => handler.close())
      return () => {
        clearInterval(timer)
        controller.abort()
      }
    },
  }
  const handler = createMcpHandler(build, { bus })
  return { response: await serve(handler), close: () => handler.close() }
}
