import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { asError } from './as-error.ts'
import { useSvc } from './provider.ts'

export interface SessionState {
  /** `loading` until the server has said whether the cookie of an earlier sign-in is still valid. */
  status: 'loading' | 'signed-in' | 'signed-out'
  /** Why the session could not be restored, such as `Unreachable`. */
  error: Error | undefined
  /** Ends the session in this browser. @throws Unreachable */
  signOut(): Promise<void>
}

/** The sign-in of the user. A session of an earlier visit is restored. */
export const useSession = (): SessionState => {
  const client = useSvc()
  const { session } = client
  const isSignedIn = useSyncExternalStore(
    session.subscribe,
    () => session.isSignedIn,
    () => false,
  )
  const [restored, setRestored] = useState<{ error?: Error }>()
  useEffect(() => {
    let isCurrent = true
    const settle = (result: { error?: Error }) => {
      if (isCurrent) setRestored(result)
    }
    if (session.isSignedIn) settle({})
    else
      session.restore().then(
        () => settle({}),
        (error: unknown) => settle({ error: asError(error) }),
      )
    return () => {
      isCurrent = false
    }
  }, [session])
  const signOut = useCallback(async () => {
    await client.methods.signOut({})
  }, [client])
  const status = isSignedIn ? 'signed-in' : restored ? 'signed-out' : 'loading'
  return { status, error: restored?.error, signOut }
}
