import { ApiError } from './error.ts'

const LEFT = 499

/** Why what is done for a request ends when whoever asked has left. Nobody is told; it stands in the log alone. */
export const gone = () => new ApiError(LEFT, 'Whoever asked has left')

/** Whether whoever asked has left; not where the server ended their stream. */
export const hasLeft = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof ApiError && reason.status === LEFT
