import type { Caller } from './caller.ts'

/**
 * The callers of requests that the server sends to itself after it has authenticated them. The request
 * object is the proof, so no client can forge such a request.
 */
const callers = new WeakMap<Request, Caller>()

/** Sets the caller of an internal request, for endpoints with the credential `bearer`. */
export const sentFor = (request: Request, caller: Caller): Request => {
  callers.set(request, caller)
  return request
}

export const innerCaller = (request: Request): Caller | undefined => callers.get(request)
