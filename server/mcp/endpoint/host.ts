import { adviseAnswer } from '../../../mcp/advice.ts'
import { Advice, type CallSettings, type Host } from '../../../mcp/host.ts'
import { ApiFailure, type Client, createClient } from '../../../shared/client.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { sentFor } from '../../platform/http/inner.ts'

/** Has the server answer a request as if it had come over the network. */
export type Dispatch = (request: Request) => Promise<Response>

/**
 * The service as its own tools find it: each call is a request to the endpoint itself, with its
 * gates, checks and counts, that does not leave the process.
 */
export const serverHost = (dispatch: Dispatch, baseUrl: string, caller: Caller): Host => {
  const open = (settings: CallSettings = {}): Client =>
    createClient({
      baseUrl,
      userAgent: 'svc-mcp',
      fetch: (url, init) => dispatch(sentFor(new Request(url.href, init), caller)),
      ...settings,
    })
  return {
    async call(work, settings) {
      try {
        return await work(open(settings))
      } catch (error) {
        throw new Advice(advise(error), { cause: error })
      }
    },
    isSignedIn: () => true,
  }
}

const advise = (error: unknown): string => {
  if (!(error instanceof ApiFailure)) return error instanceof Error ? error.message : String(error)
  const named = error.requestId ? `; the server's log names this request ${error.requestId}` : ''
  return (
    adviseAnswer(error) ?? `svc failed with ${error.status}: ${error.message}. Call again${named}.`
  )
}
