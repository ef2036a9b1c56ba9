import { ToolCallError, type ToolHost } from '../host.ts'
import { openClient, type ServerConnection } from './connection.ts'
import { advise } from './errors.ts'

/** Runs the tools over HTTP. @param connect called for each tool call. */
export const processHost = (connect: () => ServerConnection): ToolHost => ({
  async call(work, options) {
    let connection: ServerConnection | undefined
    try {
      connection = connect()
      return await work(openClient(connection, options))
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
