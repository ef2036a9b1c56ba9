import type { Capture } from '../../../shared/contract/capture.ts'
import type { HookEvent } from '../../assistants/capture.ts'
import { choiceOf, sendEntry } from '../../assistants/delivery.ts'
import { deliverSpool, openSpool, type SpooledCapture } from '../../assistants/spool.ts'
import type { HookMessage, Scene } from './scene.ts'

/** After the answer, a hook delivers turns for so long. The assistant waits for its end. */
const DELIVERY_TIMEOUT_MS: Record<HookEvent['kind'], number> = {
  prompt: 300,
  start: 300,
  answer: 0,
  compaction: 0,
  end: 1_000,
}
/** At the end of a turn large texts get more time, so that they do not block the others for ever. */
const BYTES_PER_MS = 100
const MAX_DELIVERY_TIMEOUT_MS = 5_000

/**
 * Stores a turn durably before it is sent. On a full disk it is sent at once, unless the server has just not
 * given the prompt its context in time: the assistant would wait for it again.
 */
export const spoolTurn = async (
  scene: Scene,
  { ordinal, ...message }: HookMessage,
): Promise<void> => {
  const { client, event, environment, project, now, outages } = scene
  const capture: Capture = {
    client,
    channel: 'hook',
    session: event.session,
    ...(project !== undefined && { project }),
    messages: [
      {
        ...message,
        ...(ordinal !== undefined && { ordinal }),
        occurred_at: new Date(now()).toISOString(),
      },
    ],
  }
  const entry: SpooledCapture = { target: choiceOf(environment), capture }
  try {
    if (openSpool(environment.configDir).add(entry, now()) !== undefined) return
  } catch {}
  if (event.kind === 'prompt' && scene.timeout.aborted) return
  await sendEntry(environment, outages)(entry, AbortSignal.timeout(DELIVERY_TIMEOUT_MS.end))
}

/** Sends the turns that wait. */
export const deliver = async ({ environment, event, now, outages }: Scene): Promise<void> => {
  const base = DELIVERY_TIMEOUT_MS[event.kind]
  if (base === 0) return
  const spool = openSpool(environment.configDir)
  const extra = event.kind === 'end' ? spool.waitingBytes() / BYTES_PER_MS : 0
  const timeoutMs = Math.min(base + extra, MAX_DELIVERY_TIMEOUT_MS)
  await deliverSpool(spool, {
    send: sendEntry(environment, outages, { timeout: event.kind === 'end' ? 'fails' : 'ignored' }),
    timeoutMs,
    now,
  })
}
