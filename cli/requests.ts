import { ApiFailure, type Client } from '../shared/client.ts'
import { isStream } from '../shared/contract/endpoint.ts'
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

/** A client that reports each answer: hooks then need not wait until they ask a server again that failed. */
export const withRecovery = (client: Client, onAnswer: () => void): Client => ({
  async call(row, ...args) {
    const answer = await client.call(row, ...args)
    onAnswer()
    return answer
  },
})

/** A client that knows by the response of a changing request which fields the command prints, before it is sent. */
export const withKnownFields = (client: Client, io: Pick<Io, 'willPrint'>): Client => ({
  async call(row, ...args) {
    const known = row.method === 'GET' ? [] : fieldsOf(row.success[1] as Shape | null)
    if (known.length > 0) io.willPrint(known)
    return client.call(row, ...args)
  },
})

/** A schema of the contract, as far as it names fields. */
interface Shape {
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
}

/** The fields of a value, and of the entries of a list: see `selectFields`. */
const fieldsOf = (schema: Shape | null): string[] => {
  const { properties = {}, items, anyOf = [] } = schema ?? {}
  const [first] = Object.values(properties)
  return [
    ...Object.keys(properties),
    ...[items, first?.items, ...anyOf].flatMap((each) => (each ? fieldsOf(each) : [])),
  ]
}

export const traceRequest = (io: Io, request: string, outcome: string, startedAt: number): void =>
  io.message(`debug: ${request}: ${outcome}, ${Math.round(performance.now() - startedAt)} ms`)

/** Most responses arrive earlier. A spinner that flashes is distracting. */
const SPINNER_DELAY_MS = 50

/** A client that shows a spinner while it waits. Streams and files show their own progress. */
export const withSpinner = (client: Client, io: Io): Client => ({
  async call(row, ...args) {
    if (isStream(row.success[1]) || row.file) return client.call(row, ...args)
    let isShown = false
    const timer = setTimeout(() => {
      if (io.isShowing) return
      io.spin('Waiting for the server …')
      isShown = true
    }, SPINNER_DELAY_MS)
    try {
      return await client.call(row, ...args)
    } finally {
      clearTimeout(timer)
      if (isShown) io.clear()
    }
  },
})
