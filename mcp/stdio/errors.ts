import { ApiFailure, Unreachable } from '../../shared/client.ts'
import { errorText } from '../../shared/errors.ts'
import { adviseAnswer } from '../advice.ts'
import { UnknownAnswer } from '../host.ts'
import {
  type Connection,
  ConnectionError,
  DEFAULT_PROFILE,
  DEFAULT_URL,
  NoKey,
} from './connection.ts'

/** What went wrong and what to do about it, for the model and the person it works for. */
export const advise = (error: unknown, connection?: Connection): string => {
  if (error instanceof ConnectionError) return `${error.message}. Correct it and call again.`
  if (connection === undefined) return String(error)
  if (error instanceof NoKey)
    return `${error.message}. To get one, run ${login(connection)} and call again; or set SVC_API_KEY for this MCP server and restart it.`
  if (error instanceof Unreachable)
    return `${error.message}. Start the server there with \`npm start\`, or set SVC_URL to where it runs.`
  if (error instanceof UnknownAnswer) return adviseStranger(connection)
  if (error instanceof ApiFailure) return adviseFailure(error, connection)
  return String(error)
}

const adviseFailure = (failure: ApiFailure, connection: Connection): string => {
  const { status, message, detail, requestId } = failure
  if (status === 401) return adviseRefused(message, connection)
  if (status >= 500) {
    const named = requestId ? `; its log names this request ${requestId}` : ''
    return `${connection.url} failed with ${status}: ${message}. Call again${named}.`
  }
  if (detail === undefined || detail === errorText.notFound) return adviseStranger(connection)
  return adviseAnswer(failure) ?? adviseStranger(connection)
}

const adviseRefused = (message: string, connection: Connection): string => {
  const { url, profile } = connection
  const environment = connection.keyFrom === 'environment'
  const key = environment ? 'the key in SVC_API_KEY' : `the key of the profile ${profile}`
  const todo = environment
    ? `put a new key there, or take the variable away and sign in with ${login(connection)}; then restart this MCP server`
    : `sign in again with ${login(connection)} and call again`
  return `${url} refused ${key} (${message}): it was revoked, has expired or is not of this server. To mend it, ${todo}.`
}

const adviseStranger = ({ url }: Connection): string =>
  `What runs at ${url} does not answer as svc does. Set SVC_URL to the address of the svc server.`

/** The command that signs in to the server and profile in force. */
const login = ({ url, profile }: Connection): string => {
  const options = [
    url !== DEFAULT_URL && ` --url ${url}`,
    profile !== DEFAULT_PROFILE && ` --profile ${profile}`,
  ]
  const command = `login${options.filter(Boolean).join('')}`
  return `\`svc ${command}\` (or \`npx bun cli/main.ts ${command}\` in the folder of svc)`
}
