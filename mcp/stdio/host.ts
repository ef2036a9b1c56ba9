import { Type } from '@sinclair/typebox'
import { ApiFailure, Unreachable } from '../../shared/client.ts'
import { isUuid } from '../../shared/contract/common.ts'
import { listOrgs, me } from '../../shared/contract/index.ts'
import { Organization } from '../../shared/contract/organizations.ts'
import { hasScope } from '../../shared/contract/scopes.ts'
import { Me } from '../../shared/contract/sessions.ts'
import { errorText } from '../../shared/errors.ts'
import { adviseOnFailure, ToolCallError, type ToolHost, UnexpectedResponse } from '../host.ts'
import { expectResponse } from '../response.ts'
import {
  InvalidSettingsError,
  MissingKeyError,
  openClient,
  type ServerConnection,
} from './connection.ts'
import { loginArguments } from './local-config.ts'

/**
 * Runs the tools over HTTP.
 * @param connect called for each tool call.
 * @param project that the client works in.
 */
export const processHost = (connect: () => ServerConnection, project?: string): ToolHost => ({
  project,
  async call(work, options) {
    let connection: ServerConnection | undefined
    try {
      connection = connect()
      const orgId = await organizationId(connection)
      return await work(openClient(connection, { ...options, orgId }))
    } catch (error) {
      if (error instanceof ToolCallError) throw error
      throw new ToolCallError(advise(error, connection), { cause: error })
    }
  },

  serverUrl: () => connect().url,

  isSignedIn() {
    try {
      return connect().apiKey !== undefined
    } catch {
      return false
    }
  },
})

/** A server that does not answer so soon is taken for one whose key may write; it refuses then by itself. */
const ASK_MS = 1_000

/** Runs a request to a server. It may refuse to. */
type Guard = <T>(url: string, request: () => Promise<T>) => Promise<T>

/** Whether the key may not write, so that tools that write would only fail. */
export const mayOnlyRead = async (
  connect: () => ServerConnection,
  guard: Guard = (_, request) => request(),
): Promise<boolean> => {
  try {
    const connection = connect()
    const response = await guard(connection.url, () =>
      openClient(connection, { timeoutMs: ASK_MS }).call(me),
    )
    return !hasScope(expectResponse(Me, response).scopes, 'memory:write')
  } catch {
    return false
  }
}

/** The id of the organization to act in, which settings name by id or name. @throws InvalidSettingsError */
export const organizationId = async (connection: ServerConnection): Promise<string | undefined> => {
  const { text, source } = connection.org ?? {}
  if (text === undefined || isUuid(text)) return text
  const response = await openClient(connection).call(listOrgs)
  const all = expectResponse(Type.Array(Organization), response)
  const [found, ...others] = all.filter(({ name }) => name.toLowerCase() === text.toLowerCase())
  if (found && others.length === 0) return found.id
  throw new InvalidSettingsError(
    `${source} does not name one organization of the account. \`svc orgs list\` lists them`,
  )
}

/** The problem and its fix, for the model and its user. */
const advise = (error: unknown, connection?: ServerConnection): string => {
  if (error instanceof InvalidSettingsError) return `${error.message}. Correct it and call again.`
  if (connection === undefined) return String(error)
  if (error instanceof MissingKeyError)
    return `${error.message}. Run ${login(connection)} and call again, or set SVC_API_KEY for this MCP server and restart it.`
  if (error instanceof Unreachable)
    return `${error.message}. Start the server there with \`svc serve\`, or set ${connection.urlSetting} to the address of a running one.`
  if (error instanceof UnexpectedResponse) return adviseNotSvc(connection)
  if (error instanceof ApiFailure) return adviseApiFailure(error, connection)
  return String(error)
}

const adviseApiFailure = (failure: ApiFailure, connection: ServerConnection): string => {
  const { status, message, detail, requestId } = failure
  if (status === 401) return adviseUnauthorized(message, connection)
  if (detail === errorText.notOrgMember && connection.org)
    return `${message}: ${connection.org.source} names ${connection.org.text}. Choose another one with \`svc orgs switch\`, and call again.`
  if (status >= 500) {
    const request = requestId ? `; the server logged it as request ${requestId}` : ''
    return `${connection.url} failed with ${status}: ${message}. Call again${request}.`
  }
  if (detail === undefined || detail === errorText.notFound) return adviseNotSvc(connection)
  return adviseOnFailure(failure) ?? adviseNotSvc(connection)
}

const adviseUnauthorized = (message: string, connection: ServerConnection): string => {
  const { url, profile } = connection
  const isEnvironment = connection.keyFrom === 'environment'
  const key = isEnvironment ? 'the key in SVC_API_KEY' : `the key of the profile ${profile}`
  const fix = isEnvironment
    ? `Set SVC_API_KEY to a new key, or unset it and sign in with ${login(connection)}; then restart this MCP server`
    : `To fix it, sign in again with ${login(connection)} and call again`
  return `${url} rejected ${key} (${message}): it was revoked, has expired or belongs to another server. ${fix}.`
}

const adviseNotSvc = ({ url, urlSetting }: ServerConnection): string =>
  `The service at ${url} is not svc. Set ${urlSetting} to the address of the svc server.`

const login = ({ url, profile }: ServerConnection): string => {
  const command = loginArguments(url, profile)
  return `\`svc ${command}\` (or \`./svc ${command}\` in the folder of svc)`
}
