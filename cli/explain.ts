import { ApiFailure, NotSvc, Unreachable } from '../shared/client.ts'
import { errorText } from '../shared/errors.ts'
import { type Context, loginCommand } from './context.ts'
import { CliError } from './errors.ts'
import { oneLine } from './output.ts'

/** Turns what the client throws into what a person can act on. Other errors stay as they are. */
export const explain = (error: unknown, context: Context): unknown => {
  if (error instanceof Unreachable) return unreachable(error)
  if (error instanceof ApiFailure)
    return error.status === 401 ? refused(error, context) : failed(error, context.url)
  return error
}

const NAME_SVC = 'Name the address of svc with --url, or run: svc doctor'

const unreachable = (cause: Unreachable) =>
  new CliError(
    `${oneLine(cause.message)}${reasonOf(cause.cause)}.`,
    cause instanceof NotSvc
      ? NAME_SVC
      : 'Start the server with npm start, or name another with --url. To look closer, run: svc doctor',
    { cause },
  )

/** What the system calls it: a connection that is refused, a certificate that is not trusted. */
const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return ''
  if (cause.name === 'AbortError') return ' in time'
  const { code } = cause as NodeJS.ErrnoException
  return typeof code === 'string' ? ` (${oneLine(code)})` : ''
}

const refused = (cause: ApiFailure, context: Context) => {
  const { credential } = context
  const from = credential && `${credential.from.kind} ${credential.from.name}`
  return new CliError(
    `${context.url} refused the credential${from ? ` from ${from}` : ''}: ${oneLine(cause.message)}.`,
    afterRefusal(context),
    { kind: 'not_signed_in', cause },
  )
}

/** What to do where the server refuses the credential. */
export const afterRefusal = (context: Context): string =>
  context.credential?.from.kind === 'environment'
    ? `Set SVC_API_KEY to a valid key, or unset it and run: ${loginCommand(context)}`
    : `Run: ${loginCommand(context)}`

const failed = (cause: ApiFailure, url: string) =>
  new CliError(messageOf(cause, url), adviceOf(cause.detail) ?? nextFor(cause), { cause })

/** Whatever svc refuses has a detail; what has none was said by something else, such as a proxy. */
const messageOf = ({ detail, status, message }: ApiFailure, url: string): string =>
  detail === undefined
    ? `${url} answered HTTP ${status}`
    : `${oneLine(message).replace(/\.$/, '')} (${status})`

/** What the contract's error objects say to do (7.4, 7.5). */
const adviceOf = (detail: unknown): string | undefined => {
  if (!detail || typeof detail !== 'object' || Array.isArray(detail)) return undefined
  const { error, upgrade_url } = detail as { error?: unknown; upgrade_url?: unknown }
  if (error === 'email_not_verified')
    return 'Open the link in that mail, and run it again. A server without mail writes it into its log.'
  if (typeof upgrade_url === 'string') return `See what other tiers open: ${oneLine(upgrade_url)}`
  return undefined
}

const nextFor = ({ status, detail, requestId, retryAfter }: ApiFailure): string => {
  if (status >= 300 && status < 400) return 'The server sends elsewhere: check --url.'
  const isForeign = detail === undefined || detail === errorText.notFound
  if (isForeign && status < 500) return NAME_SVC
  if (status === 422 || status === 400)
    return 'Mend the named field and run it again; --help says what it takes.'
  if (status === 404) return 'Check the id; svc memories list and svc sessions list show them.'
  if (status === 413) return 'Send less at once.'
  if (status === 429)
    return `Wait ${retryAfter === undefined ? 'a minute' : `${retryAfter} seconds`} and run it again.`
  if (status >= 500)
    return `Run it again later, or run: svc doctor${requestId ? `. The server's log has it under request ${requestId}.` : ''}`
  return 'Run: svc whoami'
}
