import { ApiFailure, Unreachable } from '../../shared/client.ts'
import { errorText } from '../../shared/errors.ts'
import { adviseOnFailure, UnexpectedResponse } from '../host.ts'
import { InvalidSettingsError, MissingKeyError, type ServerConnection } from './connection.ts'
import { loginArguments } from './local-config.ts'

/** The problem and its fix, for the model and its user. */
export const advise = (error: unknown, connection?: ServerConnection): string => {
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
