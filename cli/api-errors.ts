import { ApiFailure, NotSvc, Unreachable } from '../shared/client.ts'
import { formatWait } from '../shared/duration.ts'
import { errorText } from '../shared/errors.ts'
import { type Context, loginCommand } from './context.ts'
import { CliError } from './errors.ts'
import { oneLine } from './output.ts'

/** Converts an error of the API client to a CliError with a hint. Other errors are returned unchanged. */
export const toCliError = (error: unknown, context: Context): unknown => {
  if (error instanceof Unreachable) return unreachable(error)
  if (error instanceof ApiFailure)
    return error.status === 401 ? refused(error, context) : failed(error, context.url)
  return error
}

const NAME_SVC = 'Set the address of the svc server with --url, or run: svc doctor'

const unreachable = (cause: Unreachable) =>
  new CliError(
    `${oneLine(cause.message)}${reasonOf(cause.cause)}.`,
    cause instanceof NotSvc
      ? NAME_SVC
      : 'Start the server with npm start, or set another one with --url. To find the problem, run: svc doctor',
    { cause },
  )

/** The error code of the system, for example ECONNREFUSED. */
const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return ''
  if (cause.name === 'AbortError') return ' within the timeout'
  const { code } = cause as NodeJS.ErrnoException
  return typeof code === 'string' ? ` (${oneLine(code)})` : ''
}

const refused = (cause: ApiFailure, context: Context) => {
  const { credential } = context
  const source = credential && `${credential.source.kind} ${credential.source.name}`
  return new CliError(
    `${context.url} rejected the credential${source ? ` from ${source}` : ''}: ${oneLine(cause.message)}.`,
    unauthorizedHint(context),
    { kind: 'not_signed_in', cause },
  )
}

/** The hint for a rejected credential. */
export const unauthorizedHint = (context: Context): string =>
  context.credential?.source.kind === 'environment'
    ? `Set SVC_API_KEY to a valid key, or unset it and run: ${loginCommand(context)}`
    : `Run: ${loginCommand(context)}`

const failed = (cause: ApiFailure, url: string) =>
  new CliError(messageOf(cause, url), adviceOf(cause.detail) ?? nextFor(cause), { cause })

/** Errors of svc have a detail. An error without one comes from another service, such as a proxy. */
const messageOf = ({ detail, status, message }: ApiFailure, url: string): string =>
  detail === undefined
    ? `${url} returned HTTP ${status}`
    : `${oneLine(message).replace(/\.$/, '')} (${status})`

/** The hint for known texts, and for error objects with a code or an upgrade URL. */
const adviceOf = (detail: unknown): string | undefined => {
  if (detail === errorText.adminOnly)
    return 'Sign in as an admin. To see the account, run: svc whoami'
  if (detail === errorText.notOrgMember) return 'To list your organizations, run: svc orgs list'
  if (!detail || typeof detail !== 'object' || Array.isArray(detail)) return undefined
  const { error, upgrade_url } = detail as { error?: unknown; upgrade_url?: unknown }
  if (error === 'email_not_verified')
    return 'Open the link in the verification email and run this again. To send it again, run: svc verify --resend'
  if (typeof upgrade_url === 'string') return `Compare the tiers: ${oneLine(upgrade_url)}`
  return undefined
}

const nextFor = ({ status, detail, requestId, retryAfter }: ApiFailure): string => {
  if (status >= 300 && status < 400) return 'The server redirects to another address: check --url.'
  const isForeign = detail === undefined || detail === errorText.notFound
  if (isForeign && status < 500) return NAME_SVC
  if (status === 422 || status === 400)
    return 'Correct the named field and run it again. --help lists the options.'
  if (status === 404) return 'Check the ID. svc memories list and svc sessions list print IDs.'
  if (status === 413) return 'Send less data.'
  if (status === 429)
    return `Wait ${retryAfter === undefined ? 'a minute' : formatWait(retryAfter)} and run it again.`
  if (status >= 500)
    return `Run it again later, or run: svc doctor${requestId ? `. The server logged it as request ${requestId}.` : ''}`
  return 'Run: svc whoami'
}
