import { MAX_CAPTURED_LENGTH } from '../../../shared/contract/capture.ts'
import type { UsageReceipt, UsageService } from '../../billing/usage/service.ts'
import type { CaptureService } from '../../memory/capture/service.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { OpenStreams } from '../../platform/http/streams.ts'
import type { Log } from '../../platform/log.ts'
import { runShared } from '../../platform/request-scope.ts'
import { isWithoutMemory } from './client-context.ts'
import { type Dialect, type ProxiedAnswer, storable } from './dialect.ts'
import { type Exchange, exchange } from './exchange.ts'
import {
  addTexts,
  hasMemories,
  type MemoryMode,
  memoryMode,
  readRequest,
  sessionOf,
} from './request.ts'
import { createSequences } from './sequences.ts'
import type { Turn, TurnService } from './turns.ts'
import type { Upstream } from './upstream.ts'

/** A request to an endpoint of a model, with its body unparsed. */
export interface ProxyCall {
  upstream: Upstream
  /** The path at the upstream, with the query of the request. */
  path: string
  request: Request
  json: string | undefined
  streams: OpenStreams
}

export interface ProxyService {
  /** Passes a request on as it is. */
  pass(call: ProxyCall): Promise<Response>
  /** Counts the tokens of a request with its memories. */
  count(caller: Caller, dialect: Dialect, call: ProxyCall): Promise<Response>
  /**
   * Passes a request of a conversation on with the memories for it, and stores the person's message and the
   * final answer.
   * @throws ApiError 429 when the month's messages are used up.
   */
  converse(caller: Caller, dialect: Dialect, call: ProxyCall): Promise<Response>
}

interface ProxyDeps {
  turns: TurnService
  captures: Pick<CaptureService, 'capture'>
  usage: Pick<UsageService, 'consume' | 'refund'>
  log: Log
}

/** A request with the turn that it belongs to. */
interface Prepared {
  body: string
  turn: Turn | undefined
  /** Whether the request begins the turn, so that it counts as a message. */
  begins: boolean
  /** The person's message, where it is stored; empty where an earlier request had it. */
  text: string | undefined
  /** Whether a request that continues from the response belongs to the turn. */
  isContinued: boolean
}

/** A request that passes without memories. */
const unchanged = (body: string, { begins }: { begins: boolean }): Prepared => ({
  body,
  turn: undefined,
  begins,
  text: undefined,
  isContinued: false,
})

export const createProxyService = (deps: ProxyDeps): ProxyService => {
  const { turns, captures, usage, log } = deps

  const prepare = async (
    caller: Caller,
    dialect: Dialect,
    { request: { headers }, json = '' }: ProxyCall,
  ): Promise<Prepared> => {
    const mode = memoryMode(headers)
    const request = readRequest(json, headers, dialect)
    // The upstream says in its own words that a body is invalid.
    if (!request) return unchanged(json, { begins: true })
    const { client, persons, messages, isStart } = request
    const { response: previous, conversation } = dialect.continuedBy?.(request.body) ?? {}
    const session = sessionOf(headers, client.session ?? conversation)
    if (client.isAside) return unchanged(json, { begins: false })
    if (persons.length === 0) {
      const turn = await turns.resume(caller, { client: client.name, session, previous })
      return {
        ...unchanged(json, { begins: false }),
        turn,
        text: mode.isStoring ? '' : undefined,
        isContinued: mode.isAdding,
      }
    }
    const texts = persons.map((index) => messages[index]?.text ?? '')
    const text = texts.at(-1) ?? ''
    const { isAdding, isStoring } = modeOf(mode, text)
    const turn = await turns.open(caller, {
      client: client.name,
      session,
      turn: client.turn && storable(client.turn, MAX_TURN_LENGTH),
      numbersPrompts: client.numbersPrompts,
      texts,
      firstAnswer: messages.find(({ kind }) => kind === 'model')?.raw ?? '',
      previous,
      isStart,
      isAdding: isAdding && !hasMemories(request, persons.at(-1) ?? 0),
    })
    return {
      body: mode.isAdding ? addTexts(request, dialect, turn.additions) : json,
      turn,
      begins: isStart || turn.isNew,
      text: isStoring ? text : undefined,
      isContinued: isAdding,
    }
  }

  const store = async (
    caller: Caller,
    { turn, text, begins }: Prepared,
    answer: ProxiedAnswer,
  ): Promise<void> => {
    if (!turn || text === undefined || !(begins || answer.text !== undefined)) return
    const { client, session, ordinal } = turn
    const messages = [['user', text] as const, ['assistant', answer.text ?? ''] as const]
      .map(([role, content]) => ({
        turn: turn.turn,
        role,
        ordinal,
        content: storable(content, MAX_CAPTURED_LENGTH),
      }))
      .filter(({ content }) => content.trim() !== '')
    if (messages.length)
      await captures.capture(caller, { client, channel: 'proxy', session, messages })
  }

  const finish = async ({ turn, isContinued }: Prepared, { id }: ProxiedAnswer) => {
    if (!turn) return
    await runShared(() => turns.finish(turn, isContinued ? id : undefined)).catch((error) =>
      log.error({ error }, 'the end of a turn was not stored'),
    )
  }

  /** The prompt of a turn is stored before its answer, and a turn before the next. */
  const sequences = createSequences()
  const storeInOrder = (caller: Caller, prepared: Prepared, answer: ProxiedAnswer): Promise<void> =>
    sequences.run(`${caller.userId} ${prepared.turn?.session}`, () =>
      store(caller, prepared, answer),
    )

  const refund = async (receipt: UsageReceipt | undefined): Promise<void> => {
    if (receipt) await usage.refund(receipt)
  }

  return {
    pass: (call) => exchange(call, call.json, {}),

    async count(caller, dialect, call) {
      const { body } = await prepare(caller, dialect, call)
      return exchange(call, body, {})
    },

    async converse(caller, dialect, call) {
      const prepared = await prepare(caller, dialect, call)
      const receipt = prepared.begins ? await usage.consume(caller.userId, 'messages') : undefined
      const settings: Exchange = {
        reader: dialect.createReader(),
        async onAnswer(answer) {
          // Before the response ends, because the next request may follow at once.
          await finish(prepared, answer)
          const stored = runShared(() => storeInOrder(caller, prepared, answer))
          call.streams.track(stored.catch((error) => log.error({ error }, 'storing a turn failed')))
        },
        onFailure: () =>
          runShared(() => refund(receipt)).catch((error) =>
            log.error({ error }, 'a message was not refunded'),
          ),
      }
      return exchange(call, prepared.body, settings)
    },
  }
}

const MAX_TURN_LENGTH = 150

/** The memory has no part in a prompt that asks for that. */
const modeOf = (mode: MemoryMode, text: string): MemoryMode =>
  isWithoutMemory(text) ? { isAdding: false, isStoring: false } : mode
