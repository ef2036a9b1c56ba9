import { clientDisconnected, hasDisconnected } from '../../platform/http/disconnect.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { OpenStreams } from '../../platform/http/streams.ts'
import type { AnswerReader, ProxiedAnswer } from './dialect.ts'
import { proxyError } from './errors.ts'
import { createPassageReader, isEventStream, type PassageEnd, passThrough } from './passage.ts'
import { responseHeaders, sendUpstream, type Upstream } from './upstream.ts'

/** A request to an endpoint of a model, with its body unparsed. */
export interface ProxyCall {
  upstream: Upstream
  /** The path at the upstream, with the query of the request. */
  path: string
  request: Request
  json: string | undefined
  streams: OpenStreams
}

/** The outcome of a request. At most one of both functions is called, and once. */
export interface ProxyOutcome {
  reader?: AnswerReader
  /** Called when the response is complete. */
  onAnswer?(answer: ProxiedAnswer): Promise<void>
  /** Called where the upstream fails: not for a client that disconnects. */
  onFailure?(): Promise<void>
}

/**
 * Sends a request to the upstream, and passes the response on. The upstream's request ends when the client
 * disconnects or the server stops.
 * @throws ApiError 502 where the upstream sends no response, 503 when the server stops.
 */
export const forward = async (
  { upstream, path, request, streams }: ProxyCall,
  body: string | undefined,
  { reader, onAnswer, onFailure }: ProxyOutcome,
): Promise<Response> => {
  const ending = new AbortController()
  const onDisconnect = () => ending.abort(clientDisconnected())
  if (request.signal.aborted) onDisconnect()
  request.signal.addEventListener('abort', onDisconnect, { once: true })
  const remove = streams.open(() => ending.abort(streams.closing.reason))
  const close = () => {
    remove()
    request.signal.removeEventListener('abort', onDisconnect)
  }
  let isSettled = false
  /** Whether a response that ends without an answer has failed: a stream that was read has an end. */
  let needsAnswer = false
  const settle = async (how: PassageEnd): Promise<void> => {
    if (isSettled) return
    isSettled = true
    // Some clients close the connection as soon as they have read the last event.
    const answer = how === 'cut' ? undefined : reader?.answer()
    if (answer) return await onAnswer?.(answer)
    const hasFailed = how === 'cut' || (how === 'ended' && needsAnswer)
    if (hasFailed && !hasDisconnected(ending.signal)) await onFailure?.()
  }

  const { method, headers } = request
  const sent = { method, path, headers, body, signal: ending.signal }
  const response = await sendUpstream(upstream, sent).catch(async (error: unknown) => {
    close()
    await settle('cut')
    if (ending.signal.reason instanceof ApiError) throw ending.signal.reason
    throw proxyError('proxy_upstream_unreachable', error)
  })
  const { status, ok } = response
  const options = { status, headers: responseHeaders(response.headers) }
  if (!ok) await settle('cut')
  if (!response.body) {
    close()
    await settle('ended')
    return new Response(null, options)
  }
  const type = response.headers.get('content-type')
  const isRead = ok && reader && !response.headers.has('content-encoding')
  needsAnswer = Boolean(isRead && isEventStream(type))
  const passage = {
    reader: isRead ? createPassageReader(type, reader) : undefined,
    onEnd(how: PassageEnd) {
      close()
      const settled = settle(how)
      streams.track(settled)
      return settled
    },
    abort: () => ending.abort(clientDisconnected()),
  }
  return new Response(passThrough(response.body, passage), options)
}
