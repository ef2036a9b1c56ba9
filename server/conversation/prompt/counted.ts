import type { UsageService } from '../../billing/usage/service.ts'
import type { Caller } from '../../platform/http/caller.ts'

/** Where an answer begins to be of use to whoever asked. */
const SAID = new Set(['delta', 'done'])

/**
 * Counts a message before anything is done about it, and takes that back where nobody answered.
 * Whoever leaves while they are being answered has been.
 * @throws ApiError 429 when the month's messages are used up.
 */
export async function* counted<E extends { event: string }>(
  usage: Pick<UsageService, 'take' | 'giveBack'>,
  { userId }: Caller,
  conversation: AsyncIterable<E>,
): AsyncGenerator<E> {
  await usage.take(userId, 'messages')
  let isAnswered = false
  try {
    for await (const event of conversation) {
      isAnswered ||= SAID.has(event.event)
      yield event
    }
  } finally {
    if (!isAnswered) await usage.giveBack(userId, 'messages')
  }
}
