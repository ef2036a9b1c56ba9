import type { CaptureService } from '../../memory/capture/service.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Log } from '../../platform/log.ts'
import { runShared } from '../../platform/request-scope.ts'
import type { UsageReceipt } from '../../usage/counts/service.ts'
import type { ProxyTurn } from './beginning.ts'
import type { ProxyCounting } from './counting.ts'
import { type Dialect, MAX_STORED_CHARACTERS, type ProxiedAnswer, storable } from './dialect.ts'
import { forward, type ProxyCall, type ProxyOutcome } from './forward.ts'
import { createPreparation, type Prepared } from './preparation.ts'
import type { ProxyTurnService } from './turns.ts'

export type ProxyService = ReturnType<typeof createProxyService>

interface ProxyDeps {
  turns: ProxyTurnService
  captures: Pick<CaptureService, 'capture'>
  counting: ProxyCounting
  log: Log
}

export const createProxyService = (deps: ProxyDeps) => {
  const { counting, log } = deps
  const { prepare, prepareCounted } = createPreparation(deps)
  const finish = createFinish(deps)

  const logged = (work: Promise<unknown>, problem: string): Promise<unknown> =>
    work.catch((error) => log.error({ error }, problem))

  /** Sends a request, and stores the turn that it begins meanwhile. */
  const send = (call: ProxyCall, { body, turn }: Prepared, settings: ProxyOutcome = {}) => {
    const response = forward(call, body, settings)
    if (turn) call.streams.track(logged(turn.save(), 'a turn was not stored yet'))
    return response
  }

  const refunding = (receipt: UsageReceipt | undefined): ProxyOutcome => ({
    async onFailure() {
      if (receipt)
        await logged(
          runShared(() => counting.refund(receipt)),
          'a message was not refunded',
        )
    },
  })

  return {
    /** Passes a request on as it is. */
    pass: (call: ProxyCall): Promise<Response> => forward(call, call.json, {}),

    /** As `pass`, for a request that the provider is paid for. @throws ApiError 429, as `converse`. */
    async passCounted(caller: Caller, call: ProxyCall): Promise<Response> {
      const receipt = await counting.other(caller)
      return forward(call, call.json, refunding(receipt))
    },

    /** Counts the tokens of a request with its memories. */
    async count(caller: Caller, dialect: Dialect, call: ProxyCall): Promise<Response> {
      return send(call, await prepare(caller, dialect, call))
    },

    /**
     * Passes a request of a conversation on with the memories for it, and stores the person's message and the
     * final answer.
     * @throws ApiError 429 when the month's messages are used up.
     */
    async converse(caller: Caller, dialect: Dialect, call: ProxyCall): Promise<Response> {
      const { prepared, receipt } = await prepareCounted(caller, dialect, call)
      return send(call, prepared, {
        reader: dialect.createReader(),
        onAnswer: (answer) =>
          runShared(async () => {
            await logged(finish(caller, call, prepared, answer), 'the end of a turn was not stored')
          }),
        ...refunding(receipt),
      })
    },
  }
}

/** Records the end of a turn before the response ends, and stores its messages after that. */
const createFinish = ({ turns, captures, log }: ProxyDeps) => {
  /** The prompt of a turn is stored before its answer, and a turn before the next. */
  const sequences = createSequences()

  const store = async (
    caller: Caller,
    { client, session, turn, ordinal }: ProxyTurn,
    { begins, text, project = null }: Prepared,
    answer: ProxiedAnswer,
  ): Promise<void> => {
    if (text === undefined || !(begins || answer.text !== undefined)) return
    const messages = [['user', text] as const, ['assistant', answer.text ?? ''] as const]
      .map(([role, content]) => ({
        turn,
        role,
        ordinal,
        content: storable(content, MAX_STORED_CHARACTERS),
      }))
      .filter(({ content }) => content.trim() !== '')
    if (messages.length)
      await captures.capture(caller, { client, channel: 'proxy', session, project, messages })
  }

  return async (
    caller: Caller,
    { streams }: ProxyCall,
    prepared: Prepared,
    answer: ProxiedAnswer,
  ): Promise<void> => {
    const turn = await prepared.turn?.save()
    if (!turn) return
    const key = `${caller.userId} ${turn.session}`
    const stored = sequences.run(key, () => store(caller, turn, prepared, answer))
    streams.track(stored.catch((error) => log.error({ error }, 'storing a turn failed')))
    // The next request may follow at once.
    await turns.finish(turn, prepared.isContinued ? answer.id : undefined)
  }
}

/** Work that is done one after another where it has the same key. */
const createSequences = () => {
  const last = new Map<string, Promise<unknown>>()
  return {
    /** Does the work after all earlier work with this key, whether that succeeds or fails. */
    async run<T>(key: string, work: () => Promise<T>): Promise<T> {
      const earlier = last.get(key)
      const done = earlier ? earlier.then(work, work) : work()
      last.set(key, done)
      try {
        return await done
      } finally {
        if (last.get(key) === done) last.delete(key)
      }
    },
  }
}
