import type { EventOf } from '../../../shared/contract/endpoint.ts'
import type {
  Exchange,
  TalkAnswer,
  TalkRequest,
  talkEvents,
} from '../../../shared/contract/talk.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { RunCountedTurn } from '../../prompt/counted-turn.ts'
import type { TurnOptions } from '../../prompt/turn.ts'
import type { TalkTurn } from './turn.ts'

export type TalkService = ReturnType<typeof createTalkService>

export const createTalkService = ({
  loadTurn,
  runTurn,
}: {
  loadTurn: (caller: Caller, body: TalkRequest) => Promise<TalkTurn>
  runTurn: RunCountedTurn
}) => {
  const run = (
    caller: Caller,
    body: TalkRequest,
    options: TurnOptions,
  ): AsyncGenerator<EventOf<typeof talkEvents>> =>
    runTurn(caller, () => loadTurn(caller, body), options)

  return {
    /**
     * @throws ApiError 409 for too many agents, 429 when the month's messages are used up, 502-504 when
     * no model answers.
     */
    stream: (
      caller: Caller,
      body: TalkRequest,
      options: Pick<TurnOptions, 'signal' | 'memoriesFirst'>,
    ) => run(caller, body, { ...options, delivery: 'stream' }),

    /** @throws ApiError as `stream`. */
    async send(caller: Caller, body: TalkRequest, signal: AbortSignal): Promise<TalkAnswer> {
      let exchange: Exchange | undefined
      for await (const { event, data } of run(caller, body, { delivery: 'whole', signal }))
        if (event === 'done') exchange = data.exchange
      return exchange as Exchange
    },
  }
}
