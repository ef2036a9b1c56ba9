import { Elysia } from 'elysia'
import { MCP_METHODS, MCP_PATH } from '../../../server/mcp/endpoint/path.ts'
import { createServing } from '../../../server/mcp/endpoint/serve.ts'
import type { Caller } from '../../../server/platform/http/caller.ts'
import { ApiError } from '../../../server/platform/http/error.ts'
import { createOpenStreams } from '../../../server/platform/http/open-streams.ts'
import { mountingRaw } from '../../../server/platform/http/raw.ts'
import type { HttpContext } from '../../../server/platform/http/route.ts'
import { createLog } from '../../../server/platform/log.ts'
import { quietPort } from '../../harness/ports.ts'
import { createFixtures } from './fixtures.ts'

const NOBODY = { sessionId: 'conformance', keyId: null } as Caller

/** The endpoint as the server has it, save that it serves the suite's fixtures, and anybody. */
export const startFixtures = async () => {
  const app = new Elysia({ normalize: false })
  app.onError(({ error, set }) => {
    set.status = error instanceof ApiError ? error.status : 500
    return { detail: String(error) }
  })
  const port = await quietPort()
  const baseUrl = `http://localhost:${port}`
  const streams = createOpenStreams()
  const http = {
    log: createLog('silent', { write: () => {} }),
    streams,
    trustedOrigins: new Set([baseUrl]),
  }
  const serve = createServing({
    http,
    baseUrl,
    admit: async () => NOBODY,
    build: createFixtures,
  })
  const mount = mountingRaw(app, http as unknown as HttpContext)
  for (const method of MCP_METHODS) mount({ method, path: MCP_PATH }, serve)
  app.listen({ hostname: '127.0.0.1', port })
  return {
    url: `${baseUrl}${MCP_PATH}`,
    async [Symbol.asyncDispose]() {
      await streams.close()
      await app.server?.stop(true)
    },
  }
}
