import { resendVerification, verifyEmail } from '../../shared/contract/email-verification.ts'
import { me } from '../../shared/contract/sessions.ts'
import type { Context } from '../context.ts'
import { usageError } from '../errors.ts'
import { linkToken } from '../input.ts'
import { oneLine } from '../output.ts'
import { sessionClient } from '../session.ts'

interface VerifyArgs {
  /** The link in the email, or its token. */
  link?: string
  resend?: boolean
}

/** Verifies the email address of the account, or sends the link again. */
export const runVerify = async (context: Context, { link, resend }: VerifyArgs): Promise<void> => {
  if ((link === undefined) === !resend)
    throw usageError(
      'Pass either the link from the email or --resend.',
      'Run: svc verify --resend, or: svc verify LINK',
    )
  context.io.willPrint(['message'])
  const message = link === undefined ? await sendAgain(context) : await confirm(context, link)
  if (context.json) context.io.printJson({ message })
  else context.io.info(message)
}

const sendAgain = async (context: Context): Promise<string> => {
  const client = await sessionClient(context)
  const { email, email_verified } = await client.call(me)
  if (email_verified) return `${oneLine(email)} is already verified.`
  await client.call(resendVerification)
  return `Sent a new link to ${oneLine(email)}. Without a mail server, the link is in the output of the svc server.`
}

const confirm = async (context: Context, link: string): Promise<string> => {
  const { message } = await context
    .connect()
    .call(verifyEmail, { body: { token: linkToken(link) } })
  return `${oneLine(message)}.`
}
