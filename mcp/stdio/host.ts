import { Type } from '@sinclair/typebox'
import { isUuid } from '../../shared/contract/common.ts'
import { listOrgs, me } from '../../shared/contract/index.ts'
import { Organization } from '../../shared/contract/organizations.ts'
import { hasScope } from '../../shared/contract/scopes.ts'
import { Me } from '../../shared/contract/sessions.ts'
import { ToolCallError, type ToolHost } from '../host.ts'
import { expectResponse } from '../response.ts'
import { InvalidSettingsError, openClient, type ServerConnection } from './connection.ts'
import { advise } from './errors.ts'

/** Runs the tools over HTTP. @param connect called for each tool call. */
export const processHost = (connect: () => ServerConnection): ToolHost => ({
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
