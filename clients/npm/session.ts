import { ApiFailure } from '../../shared/client-errors.ts'
import { singleFlight, type Tokens, withRefreshLock } from '../../shared/client-session.ts'
import { fieldsOf } from '../../shared/objects.ts'
import { quietly } from './quietly.ts'

/** The sign-in of a client. Every sign-in endpoint starts it, and `account.signOut` ends it. */
export interface ClientSession {
  /** Whether the client has an access token. */
  readonly isSignedIn: boolean
  /** The refresh token, with which another process can continue. In a browser it is a cookie that scripts cannot read. */
  readonly refreshToken: string | undefined
  /**
   * Continues the session of the refresh token or cookie. Parallel calls share one request.
   * @returns false if there is no session, or it has ended.
   * @throws Unreachable if the server does not respond.
   */
  restore(): Promise<boolean>
  /** Calls a listener after each sign-in, refresh and sign-out. @returns a function that stops it. */
  subscribe(listener: () => void): () => void
}

export interface SessionOptions {
  /** The access token of a session. */
  accessToken?: string | undefined
  /** The refresh token of a session, from an earlier `session.refreshToken`. */
  refreshToken?: string | undefined
  /** Called with each new refresh token, which replaces the one before; undefined after the session ended. */
  onRefreshToken?: ((token: string | undefined) => void | Promise<void>) | undefined
}

/** @internal A browser keeps the refresh token in a cookie. */
export const isBrowser = (): boolean => 'document' in globalThis

/** @internal The session as the client uses it. */
export interface ManagedSession extends ClientSession {
  readonly tokens: Tokens
  /** Keeps the access token of a response that signs in. */
  adopt(response: unknown): void
  /** Keeps a refresh token that the server set. */
  keep(refreshToken: string): Promise<void>
  end(): Promise<void>
}

/** @internal @param refresh exchanges the refresh token or cookie for an access token, and has the session adopt it. */
export const createSession = (
  { onRefreshToken, ...initial }: SessionOptions,
  refresh: () => Promise<unknown>,
): ManagedSession => {
  let { accessToken, refreshToken } = initial
  let hasEnded = false
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) void quietly(listener)
  }
  const session: ManagedSession = {
    get isSignedIn() {
      return accessToken !== undefined
    },
    get refreshToken() {
      return refreshToken
    },
    async restore() {
      hasEnded = false
      return (await refreshOnce()) !== undefined
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tokens: {
      current: async () => accessToken ?? refreshOnce(),
      // A parallel call may have renewed it since.
      renew: async (refused) => (accessToken === refused ? refreshOnce() : accessToken),
    },
    adopt(response) {
      const { access_token } = fieldsOf(response)
      if (typeof access_token !== 'string') return
      accessToken = access_token
      hasEnded = false
      notify()
    },
    async keep(token) {
      refreshToken = token
      hasEnded = false
      await quietly(() => onRefreshToken?.(token))
    },
    async end() {
      const hadToken = refreshToken !== undefined
      accessToken = refreshToken = undefined
      hasEnded = true
      if (hadToken) await quietly(() => onRefreshToken?.(undefined))
      notify()
    },
  }
  const refreshOnce = singleFlight(async (): Promise<string | undefined> => {
    if (hasEnded || (refreshToken === undefined && !isBrowser())) return undefined
    const stale = accessToken
    try {
      await withRefreshLock(refresh)
    } catch (error) {
      if (!(error instanceof ApiFailure && error.status === 401)) throw error
      // A sign-in since then has begun another session.
      if (accessToken === stale) await session.end()
    }
    return accessToken
  })
  return session
}
