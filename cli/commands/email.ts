import {
  changeEmail,
  confirmEmailChange,
  undoEmailChange,
} from '../../shared/contract/email-change.ts'
import type { Context } from '../context.ts'
import { usageError } from '../errors.ts'
import { askHidden, canAsk, linkToken, readTextFile, trimLineEnds } from '../input.ts'
import { oneLine } from '../output.ts'
import { sessionClient } from '../session.ts'

interface ChangeArgs {
  email: string
  passwordFile?: string
}

/** Asks for the password. An empty answer is that of an account without one. */
export const runEmailChange = async (context: Context, args: ChangeArgs): Promise<void> => {
  const client = await sessionClient(context)
  const password = await readPassword(context, args.passwordFile)
  const body = { email: args.email, ...(password && { password }) }
  report(context, await client.call(changeEmail, { body }))
}

const readPassword = async ({ io }: Context, file: string | undefined): Promise<string> => {
  if (file !== undefined) return trimLineEnds(await readTextFile(file, io.runtime))
  if (!canAsk(io))
    throw usageError(
      'The change needs the password, and there is no terminal to ask on.',
      'Use --password-file.',
    )
  io.clear()
  return askHidden('Password (empty for an account without one): ', io.runtime)
}

interface LinkArgs {
  /** The link in the email, or its token. */
  link: string
}

export const runEmailConfirm = async (context: Context, { link }: LinkArgs): Promise<void> => {
  const body = { token: linkToken(link) }
  report(context, await context.connect().call(confirmEmailChange, { body }))
}

export const runEmailUndo = async (context: Context, { link }: LinkArgs): Promise<void> => {
  const body = { token: linkToken(link) }
  report(context, await context.connect().call(undoEmailChange, { body }))
}

const report = (context: Context, { message }: { message: string }): void => {
  if (context.json) context.io.printJson({ message })
  else context.io.info(`${oneLine(message)}.`)
}
