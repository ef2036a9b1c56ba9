import type { UsageService } from '../billing/usage/service.ts'
import type { Caller } from '../platform/http/caller.ts'
import { hasDisconnected } from '../platform/http/disconnect.ts'
import { ModelFailure, modelFailureAnswer } from '../platform/models/failure.ts'
import type { RunTurn, Turn, TurnEvent, TurnOptions } from './turn.ts'

type CountedTurnEvent<Reference extends object, Stored extends object> = Exclude<
  TurnEvent<Reference, Stored>,
  { event: 'asking' }
>

export type RunCountedTurn = ReturnType<typeof createRunCountedTurn>

/**
 * Runs a turn that a request asks for: consumes one message before the context is loaded, and refunds it
 * when the caller received no answer. A caller who disconnects after the model was asked pays for it.
 */
export const createRunCountedTurn = (
  runTurn: RunTurn,
  usage: Pick<UsageService, 'consume' | 'refund'>,
) =>
  /** @throws ApiError 429 when the month's messages are used up, 502-504 when no model answers. */
  async function* runCountedTurn<Reference extends object, Stored extends object>(
    caller: Caller,
    load: () => Promise<Turn<Reference, Stored>>,
    options: TurnOptions,
  ): AsyncGenerator<CountedTurnEvent<Reference, Stored>> {
    const { signal } = options
    const receipt = await usage.consume(caller.userId, 'messages')
    let isAsked = false
    let isAnswered = false
    try {
      for await (const event of runTurn(caller, load, options)) {
        if (event.event === 'asking') {
          isAsked = !signal.aborted
          continue
        }
        isAnswered ||= event.event === 'delta' || event.event === 'done'
        yield event
      }
    } catch (error) {
      throw error instanceof ModelFailure ? modelFailureAnswer(error) : error
    } finally {
      const isPaid = isAnswered || (isAsked && hasDisconnected(signal))
      if (!isPaid) await usage.refund(receipt)
    }
  }
