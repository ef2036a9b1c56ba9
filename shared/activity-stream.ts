import { ApiFailure } from './client.ts'
import type { ActivityEvent, listActivity } from './contract/activity.ts'
import type { StreamedResponseOf } from './contract/endpoint.ts'
import { sleep } from './timers.ts'

const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 30_000

type ActivityStream = StreamedResponseOf<typeof listActivity>
type Ready = Extract<ActivityStream extends AsyncIterable<infer E> ? E : never, { event: 'ready' }>

interface ActivityFollower {
  /** Ends the following, which then returns. */
  signal: AbortSignal
  /** Opens the stream after the last event, or with what happens from now on. */
  open(query: { after?: string }): Promise<ActivityStream>
  /** @param isResumed whether the stream was open before. */
  onReady?(ready: Ready['data'], isResumed: boolean): void
  /** An event whose listener fails comes again. */
  onEvent(event: ActivityEvent): Promise<void> | void
  /**
   * Called before a stream that ended is opened again.
   * @param error undefined if the server ended it.
   * @throws what ends the following.
   */
  onLost?(error: unknown, hasBegun: boolean): void
}

/** Follows the activity over restarts of the server and lost connections, without a loss, until the signal. */
export const followActivity = async ({
  signal,
  open,
  onReady,
  onEvent,
  onLost,
}: ActivityFollower): Promise<void> => {
  let after: string | undefined
  let retryMs = FIRST_RETRY_MS
  while (!signal.aborted) {
    let failure: unknown
    try {
      for await (const event of await open(after === undefined ? {} : { after })) {
        if (event.event === 'error') break
        retryMs = FIRST_RETRY_MS
        if (event.event === 'ready') {
          onReady?.(event.data, after !== undefined)
          after = event.data.after
        } else {
          await onEvent(event.data)
          after = event.data.id
        }
      }
    } catch (error) {
      failure = error
    }
    if (signal.aborted) return
    onLost?.(failure, after !== undefined)
    await sleep(retryMs, signal)
    retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)
  }
}

/** Whether the server refused a call: a retry would not help. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiFailure && error.status >= 400 && error.status < 500
