import { ApiFailure, Unreachable } from '../../../shared/client.ts'
import { me } from '../../../shared/contract/account.ts'
import { type Context, signedIn } from '../../context.ts'
import { CliError } from '../../errors.ts'
import { afterRefusal } from '../../explain.ts'
import { oneLine } from '../../output.ts'
import { type Check, failed, ok, warning } from './check.ts'

/** Looks whether the server takes the credential, and whose it is. */
export const checkCredential = async (context: Context): Promise<Check[]> => {
  const { credential } = context
  try {
    const caller = await signedIn(context).call(me)
    const source = `${credential?.from.kind} ${credential?.from.name}`
    const signed = ok('credential', `${oneLine(caller.email)}, by ${source}`)
    return caller.email_verified ? [signed] : [signed, unverified]
  } catch (error) {
    if (error instanceof CliError) return [failed('credential', error.message, error.next)]
    if (error instanceof Unreachable) return []
    if (!(error instanceof ApiFailure)) throw error
    const message = `The server refused it: ${oneLine(error.message)}`
    return [failed('credential', message, afterRefusal(context))]
  }
}

const unverified = warning(
  'email',
  'The address is not verified, and svc chat needs it',
  'Open the link that was mailed. A server without mail writes it into its log.',
)
