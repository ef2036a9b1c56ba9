import type { Caller } from './caller.ts'

/**
 * The requests that the server makes to itself for somebody it has let in already. They are known by
 * the object and not by what they carry, so nobody can send one.
 */
const callers = new WeakMap<Request, Caller>()

/** Makes a request one of `caller`'s, for the endpoints that a key opens. */
export const sentFor = (request: Request, caller: Caller): Request => {
  callers.set(request, caller)
  return request
}

export const innerCaller = (request: Request): Caller | undefined => callers.get(request)
