import { ApiFailure, type Client } from '../shared/client.ts'
import type { Io } from './output.ts'

/** A client that says of each call what was asked and how it ended; never with what. */
export const traced = (client: Client, io: Io): Client => ({
  async call(row, ...args) {
    const startedAt = performance.now()
    const tell = (outcome: string) =>
      io.say(
        `debug: ${row.method} ${row.path}: ${outcome}, ${Math.round(performance.now() - startedAt)} ms`,
      )
    try {
      const answer = await client.call(row, ...args)
      tell('ok')
      return answer
    } catch (error) {
      tell(
        error instanceof ApiFailure ? `${error.status}, request ${error.requestId}` : 'no answer',
      )
      throw error
    }
  },
})
