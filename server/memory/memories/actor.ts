import type { Caller } from '../../platform/http/caller.ts'

/** The caller as memories need it. */
export type MemoryCaller = Pick<Caller, 'userId' | 'ownerId' | 'keyId' | 'sessionId'>

/** The cause of a change, as a memory's history names it. */
export interface Actor {
  kind: string
  ref: string | null
}

export const actorOf = ({ keyId, sessionId }: Pick<Caller, 'keyId' | 'sessionId'>): Actor =>
  keyId ? { kind: 'api_key', ref: keyId } : { kind: 'session', ref: sessionId }
