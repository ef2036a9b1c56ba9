import { useCallback, useState } from 'react'
import { asError } from './as-error.ts'
import { useSvc } from './provider.ts'

export interface SignInState {
  /** `code`: the account has a second factor, so call `enterCode`. */
  phase: 'ready' | 'pending' | 'code' | 'done'
  /** Why the last step failed. */
  error: Error | undefined
  /** Creates an account and signs in. */
  signUp(email: string, password: string): Promise<void>
  signIn(email: string, password: string): Promise<void>
  /** @param code of the authenticator app, or a recovery code. */
  enterCode(code: string): Promise<void>
}

interface Step {
  phase: SignInState['phase']
  error?: Error
  /** Proves that the password was correct. */
  partialToken?: string
}

/** The steps of a sign-in form. They never throw: `error` has the failure. */
export const useSignIn = (): SignInState => {
  const { methods } = useSvc()
  const [{ phase, error, partialToken }, setStep] = useState<Step>({ phase: 'ready' })
  /** @param failed the step after a failure. */
  const run = useCallback(async (request: () => Promise<Step>, failed: Step) => {
    setStep({ ...failed, phase: 'pending' })
    try {
      setStep(await request())
    } catch (cause) {
      setStep({ ...failed, error: asError(cause) })
    }
  }, [])
  const signUp = useCallback(
    (email: string, password: string) =>
      run(
        async () => {
          await methods.signUp({ email, password, confirm_password: password })
          return { phase: 'done' }
        },
        { phase: 'ready' },
      ),
    [methods, run],
  )
  const signIn = useCallback(
    (email: string, password: string) =>
      run(
        async () => {
          const response = await methods.signIn({ email, password })
          return 'mfa_required' in response
            ? { phase: 'code', partialToken: response.partial_token }
            : { phase: 'done' }
        },
        { phase: 'ready' },
      ),
    [methods, run],
  )
  const enterCode = useCallback(
    (code: string) =>
      run(
        async () => {
          if (partialToken === undefined) throw new Error('Sign in with the password first')
          await methods.verifyMfa({ partial_token: partialToken, code })
          return { phase: 'done' }
        },
        {
          phase: partialToken === undefined ? 'ready' : 'code',
          ...(partialToken && { partialToken }),
        },
      ),
    [methods, partialToken, run],
  )
  return { phase, error, signUp, signIn, enterCode }
}
