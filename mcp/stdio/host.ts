import { ToolCallError, type ToolHost } from '../host.ts'
import { openClient, type ServerConnection } from './connection.ts'
import { advise } from './errors.ts'
import { organizationId } from './organization.ts'

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
