import { ApiFailure, Unreachable } from '../../../shared/client.ts'
import { me } from '../../../shared/contract/sessions.ts'
import { unauthorizedHint } from '../../api-errors.ts'
import { type Context, signedInClient } from '../../context.ts'
import { CliError } from '../../errors.ts'
import { oneLine } from '../../output.ts'
import { type Check, failed, ok, warning } from './check.ts'

/** Checks that the server accepts the credential. */
export const checkCredential = async (context: Context): Promise<Check[]> => {
  const { credential } = context
  try {
    const caller = await signedInClient(context).call(me)
    const source = `${credential?.source.kind} ${credential?.source.name}`
    const signed = ok('credential', `${oneLine(caller.email)}, from ${source}`)
    return caller.email_verified ? [signed] : [signed, unverifiedWarning(context.url)]
  } catch (error) {
    if (error instanceof CliError) return [failed('credential', error.message, error.hint)]
    if (error instanceof Unreachable) return []
    if (!(error instanceof ApiFailure)) throw error
    const message = `The server rejected the credential: ${oneLine(error.message)}`
    return [failed('credential', message, unauthorizedHint(context))]
  }
}

const unverifiedWarning = (url: string) =>
  warning(
    'email',
    'The email address is not verified, which svc chat requires',
    `Open the link in the verification email. To send it again, open ${url}/app/settings/email, or run: svc verify --resend`,
  )
