import { ApiError } from '../../platform/http/error.ts'

/** The failure of an action; the owner reads the message. */
export class FiringFailure extends Error {
  override name = 'FiringFailure'
  constructor(
    message: string,
    readonly outcome: {
      /** Whether a retry cannot succeed. */
      isFinal: boolean
      /** Disables the reflex, with this reason. */
      disables?: string
    },
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

export interface FailureOutcome {
  message: string
  isFinal: boolean
  disables?: string | undefined
}

/** Keeps the message of an unexpected error from the owner. */
export const outcomeOf = (error: unknown): FailureOutcome => {
  if (error instanceof FiringFailure) return { message: error.message, ...error.outcome }
  if (error instanceof ApiError) return { message: messageOf(error), isFinal: error.status < 500 }
  return { message: 'Internal error', isFinal: false }
}

const messageOf = ({ detail }: ApiError): string => {
  if (typeof detail === 'string') return detail
  const { message, error } = detail as { message?: string; error?: string }
  return message ?? error ?? 'The action was rejected'
}
