import { Elysia } from 'elysia'
import type { ToolHost } from '../../../mcp/host.ts'
import { MCP_METHODS, MCP_PATH } from '../../../server/mcp/admission.ts'
import { createClientAnswers } from '../../../server/mcp/answers.ts'
import { createMcpEndpoint } from '../../../server/mcp/endpoint.ts'
import { createAdmission } from '../../../server/platform/http/admission.ts'
import { BODY_PACE } from '../../../server/platform/http/body.ts'
import type { Caller } from '../../../server/platform/http/caller.ts'
import type { HttpContext } from '../../../server/platform/http/context.ts'
import { ApiError } from '../../../server/platform/http/error.ts'
import { mountingRaw } from '../../../server/platform/http/mounts.ts'
import { createOpenStreams } from '../../../server/platform/http/streams.ts'
import { createLog } from '../../../server/platform/log.ts'
import { quietPort } from '../../harness/ports.ts'
import { createFixtures } from './fixtures.ts'

/** The fixtures call no API, and publish no activity. */
const NO_HOST: ToolHost = {
  call: () => new Promise(() => {}),
  isSignedIn: () => true,
  serverUrl: () => '',
}
/** One process, which needs no notifications. */
const ALONE = {
  query: async () => [],
  listen: async () => ({ [Symbol.asyncDispose]: async () => {} }),
}
const CALLER = { sessionId: 'conformance', keyId: null } as Caller

/** The production endpoint with the fixtures of the suite and without authentication. */
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
    admission: createAdmission(),
    bodyPace: BODY_PACE,
    log: createLog('silent', { write: () => {} }),
    streams,
    trustedOrigins: new Set([baseUrl]),
  }
  const serve = createMcpEndpoint({
    answers: createClientAnswers(ALONE),
    http,
    baseUrl,
    admit: async () => ({
      caller: CALLER,
      host: NO_HOST,
      build: createFixtures,
      renew: async () => CALLER,
    }),
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
