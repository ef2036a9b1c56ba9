import { ApiError, httpError } from './error.ts'

/** Abort reason: the client disconnected. It appears in the log only. */
export const clientDisconnected = () => httpError('client_disconnected')

/** Whether a client's disconnect aborted the signal, not a failure or the server's shutdown. */
export const hasDisconnected = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof ApiError && reason.reason === 'client_disconnected'
