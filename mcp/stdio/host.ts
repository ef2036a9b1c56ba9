import { Advice, type Host } from '../host.ts'
import { type Connection, openClient } from './connection.ts'
import { advise } from './errors.ts'

/** The service as a process of its own finds it: over HTTP, where `connect` says for each call. */
export const processHost = (connect: () => Connection): Host => ({
  async call(work, settings) {
    let connection: Connection | undefined
    try {
      connection = connect()
      return await work(openClient(connection, settings))
    } catch (error) {
      throw new Advice(advise(error, connection), { cause: error })
    }
  },

  isSignedIn() {
    try {
      return connect().apiKey !== undefined
    } catch {
      return false
    }
  },
})
