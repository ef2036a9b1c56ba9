import { ApiFailure } from '../shared/client.ts'
import { CliError } from './errors.ts'
import { oneLine } from './output.ts'

/** Adds the next step of this command to errors with these statuses. */
export const withHint =
  (statuses: readonly number[], hint: string) =>
  (cause: unknown): never => {
    throw cause instanceof ApiFailure && statuses.includes(cause.status)
      ? new CliError(`${oneLine(cause.message)}.`, hint, {
          // A list of fields: the server refused the input.
          kind: Array.isArray(cause.detail) ? 'usage' : 'failed',
          cause,
        })
      : cause
  }
