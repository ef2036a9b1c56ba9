import { ApiFailure, Unreachable } from '../shared/client.ts'
import { type Context, loginCommand } from './context.ts'
import { CliError } from './errors.ts'
import { oneLine } from './output.ts'

/** Turns what the client throws into what a person can act on. Other errors stay as they are. */
export const explain = (error: unknown, context: Context): unknown => {
  if (error instanceof Unreachable) return unreachable(error)
  if (error instanceof ApiFailure)
    return error.status === 401 ? refused(error, context) : failed(error)
  return error
}

const unreachable = (cause: Unreachable) =>
  new CliError(
    `${oneLine(cause.message)}.`,
    'Start the server with npm start, or name another with --url.',
    { cause },
  )

const refused = (cause: ApiFailure, context: Context) => {
  const { credential } = context
  const from = credential && `${credential.from.kind} ${credential.from.name}`
  return new CliError(
    `${context.url} refused the credential${from ? ` from ${from}` : ''}: ${oneLine(cause.message)}.`,
    credential?.from.kind === 'environment'
      ? `Set SVC_API_KEY to a valid key, or unset it and run: ${loginCommand(context)}`
      : `Run: ${loginCommand(context)}`,
    { kind: 'not_signed_in', cause },
  )
}

const failed = (cause: ApiFailure) =>
  new CliError(`${oneLine(cause.message)} (${cause.status})`, nextFor(cause), { cause })

const nextFor = ({ status, requestId }: ApiFailure): string => {
  if (status >= 300 && status < 400) return 'The server sends elsewhere: check --url.'
  if (status === 422 || status === 400)
    return 'Mend the named field and run it again; --help says what it takes.'
  if (status === 413) return 'Send less at once.'
  if (status === 429) return 'Wait a minute and run it again.'
  if (status >= 500)
    return `Run it again later. The server's log has it under request ${requestId}.`
  return 'Run: svc whoami'
}
