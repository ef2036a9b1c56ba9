import type { Api } from './api.ts'
import { createCall } from './call.ts'
import { withEnvironment } from './environment.ts'
import type { Methods } from './methods.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import { readPages } from './pages.ts'
import { decodeRows, type Row } from './rows.ts'
import { type ClientSession, createSession, type ManagedSession } from './session.ts'
import { table } from './table.ts'

export type * from './api.ts'
export {
  ApiFailure,
  CutOff,
  NotSvc,
  OtherVersion,
  StreamFailed,
  TimedOut,
  Unreachable,
} from './errors.ts'
export type { CallOptions, ClientOptions } from './options.ts'
export type { ClientSession, SessionOptions } from './session.ts'

/** A client of one server, with a method for each endpoint: `svc.memories.recall(…)`. */
export type SvcClient = Api & {
  readonly session: ClientSession
  /** @internal All methods by name. */
  readonly methods: Methods
}

type Args = Readonly<Record<string, unknown>>
type Method = (args?: Args, options?: CallOptions) => Promise<unknown>

/**
 * Creates a client. It sends no request.
 * @throws TypeError if `baseUrl` is not an HTTP URL, or `apiKey` is no key.
 */
export const createClient = (given: ClientOptions = {}): SvcClient => {
  const options = withEnvironment(given)
  const methods: Record<string, Method> = {}
  const groups: Record<string, Record<string, unknown>> = {}
  const session: ManagedSession = createSession(options, async () => methods.refresh?.())
  const call = createCall(options, () => session)
  const add = (name: string, row: Row) => {
    const method: Method = async (args = {}, callOptions = {}) => {
      const response = await call(row, args, callOptions)
      if (row.signsIn) session.adopt(response)
      if (row.name === 'signOut') await session.end()
      return response
    }
    methods[name] = method
    groups[row.group] = { ...groups[row.group], [name]: method }
  }
  for (const row of decodeRows(table)) {
    add(row.name, row)
    if (row.streamed) add(`${row.name}Stream`, { ...row, success: [200, row.streamed] })
    const { paging } = row
    if (paging)
      groups[row.group] = {
        ...groups[row.group],
        [`${row.name}All`]: (args: Args = {}, callOptions: CallOptions = {}) =>
          readPages((page) => call(row, page, callOptions), args, paging),
      }
  }
  return { ...groups, session, methods } as unknown as SvcClient
}
