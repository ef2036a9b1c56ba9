import { ApiFailure, type Client } from '../shared/client.ts'
import type { Io } from './output.ts'

/** A client that logs each call with its outcome and duration, but no credentials or bodies. */
export const withTrace = (client: Client, io: Io): Client => ({
  async call(row, ...args) {
    const startedAt = performance.now()
    const log = (outcome: string) =>
      traceRequest(io, `${row.method} ${row.path}`, outcome, startedAt)
    try {
      const answer = await client.call(row, ...args)
      log('ok')
      return answer
    } catch (error) {
      log(
        error instanceof ApiFailure ? `${error.status}, request ${error.requestId}` : 'no response',
      )
      throw error
    }
  },
})

export const traceRequest = (io: Io, request: string, outcome: string, startedAt: number): void =>
  io.message(`debug: ${request}: ${outcome}, ${Math.round(performance.now() - startedAt)} ms`)
