import { useCallback, useEffect, useState } from 'react'
import { asError } from './as-error.ts'
import { askPasskey, hasPasskeys } from './passkey.ts'
import { useSvc } from './provider.ts'
import { takeReturn } from './provider-return.ts'

/** A provider to sign in with, such as Google. */
export interface SignInProvider {
  name: string
  label: string
}

export interface SignInState {
  /** `code`: the account has a second factor, so call `enterCode` or `signInWithPasskey`. */
  phase: 'ready' | 'pending' | 'code' | 'done'
  /** Why the last step failed. */
  error: Error | undefined
  /** The providers that the server is configured for; empty until they are loaded. */
  providers: readonly SignInProvider[]
  /** Whether the browser knows passkeys. The server accepts those of pages on its own origin. */
  hasPasskeys: boolean
  /** Creates an account and signs in. */
  signUp(email: string, password: string): Promise<void>
  signIn(email: string, password: string): Promise<void>
  /** Signs in with a passkey; after a password, in place of the code. */
  signInWithPasskey(): Promise<void>
  /** Leaves for the page of a provider, which returns to `/auth/callback` of this origin: show the form there. */
  signInWithProvider(name: string): Promise<void>
  /** @param code of the authenticator app, or a recovery code. */
  enterCode(code: string): Promise<void>
}

interface Step {
  phase: SignInState['phase']
  error?: Error
  /** Proves that the password was correct. */
  partialToken?: string
}

const DONE: Step = { phase: 'done' }
const READY: Step = { phase: 'ready' }

/** The steps of a sign-in form. They never throw: `error` has the failure. */
export const useSignIn = (): SignInState => {
  const { methods, session } = useSvc()
  const [{ phase, error, partialToken }, setStep] = useState(READY)
  const [providers, setProviders] = useState<readonly SignInProvider[]>([])
  /** @param failed the step after a failure. */
  const run = useCallback(async (request: () => Promise<Step>, failed: Step) => {
    setStep({ ...failed, phase: 'pending' })
    try {
      setStep(await request())
    } catch (cause) {
      setStep({ ...failed, error: asError(cause) })
    }
  }, [])
  useEffect(() => {
    let isCurrent = true
    // A form without providers still signs in.
    methods.listOAuthProviders({}).then(
      (listed) => isCurrent && setProviders(listed.providers),
      () => {},
    )
    const returned = takeReturn(() => true)
    const token = returned?.get('partial_token')
    const failure = returned?.get('error')
    if (token) setStep({ phase: 'code', partialToken: token })
    else if (failure) setStep({ ...READY, error: new Error(failure) })
    else if (returned) void run(async () => ((await session.restore()) ? DONE : READY), READY)
    return () => {
      isCurrent = false
    }
  }, [methods, session, run])
  const atCode: Step = partialToken === undefined ? READY : { phase: 'code', partialToken }
  return {
    phase,
    error,
    providers,
    hasPasskeys: hasPasskeys(),
    signUp: (email, password) =>
      run(async () => {
        await methods.signUp({ email, password, confirm_password: password })
        return DONE
      }, READY),
    signIn: (email, password) =>
      run(async () => {
        const response = await methods.signIn({ email, password })
        return 'mfa_required' in response
          ? { phase: 'code', partialToken: response.partial_token }
          : DONE
      }, READY),
    signInWithPasskey: () =>
      run(async () => {
        const { options } = await methods.startPasskeySignIn({})
        const response = await askPasskey(options)
        if (partialToken === undefined) await methods.signInWithPasskey({ response })
        else await methods.verifyPasskey({ partial_token: partialToken, response })
        return DONE
      }, atCode),
    signInWithProvider: (provider) =>
      run(async () => {
        const { origin } = location
        const { authorize_url } = await methods.authorizeOAuth({
          provider,
          frontend_origin: origin,
        })
        location.assign(authorize_url)
        return { phase: 'pending' }
      }, READY),
    enterCode: (code) =>
      run(async () => {
        if (partialToken === undefined) throw new Error('Sign in with the password first')
        await methods.verifyMfa({ partial_token: partialToken, code })
        return DONE
      }, atCode),
  }
}
