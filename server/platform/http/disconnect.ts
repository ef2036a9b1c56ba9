import { ApiError, httpError } from './error.ts'

/** Abort reason: the client disconnected. It appears in the log only. */
export const clientDisconnected = () => httpError('client_disconnected')

/** Whether a client's disconnect aborted the signal, not a failure or the server's shutdown. */
export const hasDisconnected = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof ApiError && reason.reason === 'client_disconnected'

/** Watches for the disconnect of a request's client. */
export type Disconnect = ReturnType<typeof watchDisconnect>

/** The signal is created on first use. */
export const watchDisconnect = (request: Request) => {
  let controller: AbortController | undefined
  const getController = () => {
    if (controller) return controller
    const created = new AbortController()
    controller = created
    const onDisconnect = () => created.abort(clientDisconnected())
    if (request.signal.aborted) onDisconnect()
    else request.signal.addEventListener('abort', onDisconnect, { once: true })
    return created
  }
  return {
    get signal(): AbortSignal {
      return getController().signal
    },

    /** False for a stream that failed: its abort has another reason. */
    get hasHappened(): boolean {
      return controller !== undefined && hasDisconnected(controller.signal)
    },
    abort: (reason: unknown): void => getController().abort(reason),
  }
}
