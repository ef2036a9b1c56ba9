import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { CurrentUser } from './api.ts'
import { asError } from './as-error.ts'
import { useSvc } from './provider.ts'
import { takeReturn } from './provider-return.ts'

export interface SessionState {
  /** `loading` until the server has said whether the cookie of an earlier sign-in is still valid. */
  status: 'loading' | 'signed-in' | 'signed-out'
  /** The signed-in user, once loaded. */
  user: CurrentUser | undefined
  /** Why the session could not be restored, or the user not loaded, such as `Unreachable`. A later success clears it. */
  error: Error | undefined
  /** Restores the session, if there is none, and loads the user again. It never throws: `error` has the failure. */
  refetch(): Promise<void>
  /** Ends the session in this browser. @throws Unreachable */
  signOut(): Promise<void>
}

interface Loaded {
  /** Whether the server has answered. */
  isSettled: boolean
  user?: CurrentUser
  error?: Error
}

/** The sign-in of the user. A session of an earlier visit is restored. */
export const useSession = (): SessionState => {
  const { session, methods } = useSvc()
  const isSignedIn = useSyncExternalStore(
    session.subscribe,
    () => session.isSignedIn,
    () => false,
  )
  const [{ isSettled, user, error }, setLoaded] = useState<Loaded>({ isSettled: false })
  /** The number of loads so far: the end of an earlier one changes nothing. */
  const loads = useRef(0)
  const refetch = useCallback(async () => {
    loads.current++
    const number = loads.current
    const settle = (next: Omit<Loaded, 'isSettled'>) => {
      if (number === loads.current) setLoaded({ isSettled: true, ...next })
    }
    try {
      const isRestored = session.isSignedIn || (await session.restore())
      // A restored session starts a load of its own.
      if (number !== loads.current) return
      settle(isRestored ? { user: await methods.currentUser({}) } : {})
    } catch (cause) {
      settle({ error: asError(cause) })
    }
  }, [session, methods])
  const wasSignedIn = useRef(false)
  useEffect(() => {
    // The session of a sign-in with a provider is restored by its cookie.
    takeReturn((query) => query.has('token'))
    // A session that has ended is not restored.
    if (wasSignedIn.current && !isSignedIn) setLoaded({ isSettled: true })
    else void refetch()
    wasSignedIn.current = isSignedIn
    return () => {
      loads.current++
    }
  }, [isSignedIn, refetch])
  const signOut = useCallback(async () => {
    await methods.signOut({})
  }, [methods])
  const status = isSignedIn ? 'signed-in' : isSettled ? 'signed-out' : 'loading'
  return { status, user: isSignedIn ? user : undefined, error, refetch, signOut }
}
