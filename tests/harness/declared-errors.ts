import { errorsOf } from '../../server/platform/http/openapi/responses.ts'
import { contract } from '../../shared/contract/index.ts'

/** Any request can get these: its connection, host or body is at fault, or the server stops. */
const GENERAL = [
  'body_ended_early',
  'body_too_slow',
  'client_disconnected',
  'feature_off',
  'invalid_host_header',
  'server_stopping',
]

const errors = new Map(
  contract.map((row) => [
    `${row.method} ${row.path.replace(/\{(\w+)\}/g, ':$1')}`,
    { row, errors: errorsOf(row) },
  ]),
)

interface Line {
  method?: string
  route?: string
  status?: number
  reason?: string
}

/** Fails for a logged error that the row of its endpoint does not declare. */
export const assertErrorsDeclared = (log: readonly string[]): void => {
  const undeclared = new Set<string>()
  for (const text of log) {
    const { method, route, status = 0, reason }: Line = JSON.parse(text)
    const known = errors.get(`${method} ${route}`)
    if (!known || !reason || GENERAL.includes(reason)) continue
    // Their reasons follow from the credential and the schemas.
    const isImplied = [401, 422].includes(status) && known.errors[status]
    if (!isImplied && !known.errors[status]?.includes(reason))
      undeclared.add(`${known.row.name}: ${status} ${reason}`)
  }
  if (undeclared.size)
    throw new Error(
      `errors that rows of the contract do not declare: ${[...undeclared].join(', ')}`,
    )
}
