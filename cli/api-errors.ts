import type { Command } from 'commander'
import { ApiFailure, NotSvc, Unreachable } from '../shared/client.ts'
import { formatWait } from '../shared/duration.ts'
import { errorText, type FieldError } from '../shared/errors.ts'
import { proxyVariable, throughProxy } from '../shared/proxies.ts'
import { type Context, loginCommand } from './context.ts'
import { CliError } from './errors.ts'
import { oneLine } from './output.ts'
import { commandPath, optionOf } from './parse/words.ts'

/**
 * Converts an error of the API client to a CliError with a hint. Other errors are returned unchanged.
 * @param command names its options in place of the fields of the request.
 */
export const toCliError = (error: unknown, context: Context, command?: Command): unknown => {
  if (error instanceof Unreachable) return unreachable(error)
  if (error instanceof ApiFailure)
    return error.status === 401 ? refused(error, context) : failed(error, context, command)
  return error
}

const NAME_SVC = 'Set the address of the svc server with --url, or run: svc doctor'

const unreachable = (cause: Unreachable) =>
  new CliError(
    `${oneLine(cause.message)}${reasonOf(cause.cause)}.`,
    cause.proxy !== undefined
      ? proxyHint(cause.proxy)
      : cause instanceof NotSvc
        ? NAME_SVC
        : 'To start the server, run: svc serve. To use another one, add --url. To find the problem, run: svc doctor',
    { cause },
  )

export const proxyHint = (variable: string): string =>
  `Correct ${variable}, or add the host of the server to NO_PROXY.`

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

const failed = (cause: ApiFailure, { url }: Context, command: Command | undefined) =>
  new CliError(
    messageOf(cause, url, command),
    adviceOf(cause.detail, url) ?? nextFor(cause, command),
    {
      // A list of fields: the server refused options or arguments.
      kind: Array.isArray(cause.detail) ? 'usage' : 'failed',
      cause,
    },
  )

const messageOf = (cause: ApiFailure, url: string, command: Command | undefined): string => {
  const { detail, status, message } = cause
  if (Array.isArray(detail) && command)
    return detail.map((each) => fieldText(each, command)).join('; ')
  // Its message has the hint, without the address of the server.
  if (isEmailNotVerified(detail)) return `Verify your email address first (${status})`
  // Errors of svc have a message. One without comes from another service.
  return message === `HTTP ${status}`
    ? `A proxy or another service responded at ${url}${throughProxy(proxyVariable(new URL(url)))}, not svc: HTTP ${status}`
    : `${oneLine(message).replace(/\.$/, '')} (${status})`
}

const isEmailNotVerified = (detail: unknown): boolean =>
  (detail as { error?: unknown } | null | undefined)?.error === 'email_not_verified'

const fieldText = ({ loc, msg }: FieldError, command: Command): string =>
  oneLine(`${optionOf(String(loc[1] ?? loc[0]), command)}: ${msg}`)

/** The hint for known texts, and for error objects with a code or an upgrade URL. */
const adviceOf = (detail: unknown, url: string): string | undefined => {
  if (detail === errorText.adminOnly)
    return 'Sign in as an admin. To see the account, run: svc whoami'
  if (detail === errorText.notOrgMember) return 'To list your organizations, run: svc orgs list'
  if (isEmailNotVerified(detail))
    return `To get a link, open ${url}/app/settings/email, or run: svc verify --resend`
  if (typeof detail === 'string' && FEATURE_OFF.test(detail))
    return 'Ask the operator, or name another server with --url.'
  const { upgrade_url } = (detail ?? {}) as { upgrade_url?: unknown }
  if (typeof upgrade_url === 'string') return `Compare the tiers: ${oneLine(upgrade_url)}`
  return undefined
}

const nextFor = (
  { status, detail, requestId, retryAfter }: ApiFailure,
  command: Command | undefined,
): string => {
  if (status >= 300 && status < 400) return 'The server redirects to another address: check --url.'
  const isForeign = detail === undefined || detail === errorText.notFound
  if (isForeign && status < 500) return NAME_SVC
  if (status === 422 || status === 400)
    return 'Correct it and run the command again. --help lists the options.'
  if (status === 404) return listHint(command)
  if (status === 413) return 'Send less data.'
  if (status === 429)
    return `Wait ${retryAfter === undefined ? 'a minute' : formatWait(retryAfter)} and run it again.`
  if (status >= 500)
    return `Run it again later, or run: svc doctor${requestId ? `. The server logged it as request ${requestId}.` : ''}`
  if (typeof detail === 'string' && LIMITED.test(detail))
    return 'With a sign-in, its owner can run: svc keys list, and svc keys edit ID'
  return 'Run: svc whoami'
}

const FEATURE_OFF = /^The operator of this server has turned off the feature /

/** A key that is paused, or that lacks a scope. */
const LIMITED = /^This credential (is paused|has no scope)/

/** The hint for an unknown item: the command beside this one that lists its kind. */
const listHint = (command: Command | undefined): string => {
  // Of the commands without a group, only those for an ID are about memories, which `svc list` lists.
  const hasList = command?.parent?.parent || command?.registeredArguments[0]?.name() === 'id'
  const list = hasList && command?.parent?.commands.find((each) => each.name() === 'list')
  return list
    ? `Check the ID. To list IDs, run: svc ${commandPath(list).join(' ')}`
    : 'Check the arguments. --help describes them.'
}

/** Adds the next step of this command to errors with these statuses. */
export const withHint =
  (statuses: readonly number[], hint: string) =>
  (cause: unknown): never => {
    throw cause instanceof ApiFailure && statuses.includes(cause.status)
      ? new CliError(`${oneLine(cause.message)}.`, hint, {
          // A list of fields: the server refused the input.
          kind: Array.isArray(cause.detail) ? 'usage' : 'failed',
          cause,
        })
      : cause
  }
