import { adviseOnFailure } from '../../../mcp/advice.ts'
import { type CallOptions, ToolCallError, type ToolHost } from '../../../mcp/host.ts'
import { ApiFailure, type Client, createClient } from '../../../shared/client.ts'
import { type Caller, internalRequest } from '../../platform/http/caller.ts'

/** Handles a request in this process, like one from the network. */
export type Dispatch = (request: Request) => Promise<Response>

/**
 * The API for the MCP tools. Each call is a request to an endpoint, with its authorization, validation
 * and usage limits, that does not leave the process.
 */
export const serverHost = (dispatch: Dispatch, baseUrl: string, caller: Caller): ToolHost => {
  const open = (settings: CallOptions = {}): Client =>
    createClient({
      baseUrl,
      userAgent: 'svc-mcp',
      fetch: (url, init) => dispatch(internalRequest(new Request(url.href, init), caller)),
      ...settings,
    })
  return {
    async call(work, settings) {
      try {
        return await work(open(settings))
      } catch (error) {
        if (error instanceof ToolCallError) throw error
        throw new ToolCallError(advise(error), { cause: error })
      }
    },
    isSignedIn: () => true,
    serverUrl: () => baseUrl,
  }
}

const advise = (error: unknown): string => {
  if (!(error instanceof ApiFailure)) return error instanceof Error ? error.message : String(error)
  const hint = error.requestId ? `; the server's log names this request ${error.requestId}` : ''
  return (
    adviseOnFailure(error) ??
    `svc failed with ${error.status}: ${error.message}. Call again${hint}.`
  )
}
