import type { UsageService } from '../../billing/usage/service.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { hasLeft } from '../../platform/http/leaving.ts'
import type { ModelEvent, ModelRequest } from '../../platform/models/types.ts'

/** Where an answer begins to be of use to whoever asked. */
const SAID = new Set(['delta', 'done'])

export type Ask = (request: ModelRequest) => AsyncIterable<ModelEvent>

/**
 * Counts a message before anything is done about it, and takes that back where nobody answered.
 * Whoever leaves once a model was asked for them has had what a message costs, heard or not; whoever
 * leaves before has not.
 * @throws ApiError 429 when the month's messages are used up.
 */
export async function* counted<E extends { event: string }>(
  usage: Pick<UsageService, 'take' | 'giveBack'>,
  { userId }: Caller,
  { ask, signal }: { ask: Ask; signal: AbortSignal },
  converse: (ask: Ask) => AsyncIterable<E>,
): AsyncGenerator<E> {
  const receipt = await usage.take(userId, 'messages')
  let isAsked = false
  let isAnswered = false
  const asking: Ask = (request) => {
    // Of somebody who has left by then no model is asked.
    isAsked = !signal.aborted
    return ask(request)
  }
  try {
    for await (const event of converse(asking)) {
      isAnswered ||= SAID.has(event.event)
      yield event
    }
  } finally {
    if (!isAnswered && !(isAsked && hasLeft(signal))) await usage.giveBack(receipt)
  }
}
