import { MAX_TEXT_LENGTH } from '../../../shared/contract/common.ts'
import { DEFAULT_CONTEXT_TOKENS } from '../../../shared/contract/context.ts'
import { captureThread } from '../../memory/capture/service.ts'
import type { Database } from '../../platform/db/database.ts'
import { serializeAdds } from '../../platform/db/locks.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Log } from '../../platform/log.ts'
import { runShared } from '../../platform/request-scope.ts'
import type { ContextService } from '../../prompt/context/service.ts'
import { storable } from './dialect.ts'
import { addTurn, findNumbering, findTurn, type TurnKey } from './store.ts'
import type { ProxyTurnRow } from './table.ts'

/** A message of a person in a request, with those before it. */
export interface TurnRequest {
  /** The program that sent the request. */
  client: string
  /** The conversation and the turn, as the program names them. */
  session: string | undefined
  turn: string | undefined
  /** The project of the conversation; null where the program names none. */
  project: string | null
  /** Whether hooks of the program identify a turn by the number of its prompt. */
  numbersPrompts: boolean
  /** The person's messages of the conversation, with the one to answer last. */
  texts: string[]
  /** The first text of the model. */
  firstAnswer: string
  /** The response that the request continues, where it does not repeat the messages before. */
  previous: string | undefined
  /** Whether nothing follows the person's message: the model has not begun to answer it. */
  isStart: boolean
  /** Whether memories are added to a new turn. */
  isAdding: boolean
}

export interface ProxyTurn
  extends Pick<ProxyTurnRow, 'userId' | 'scope' | 'place' | 'session' | 'turn' | 'ordinal'> {
  client: string
}

/** A turn that no earlier request has begun. */
export interface NewTurn {
  request: TurnRequest
  at: TurnKey & { session: string }
  /** The session of an earlier conversation with the same words, whose turn it replaces. */
  replaced: string | undefined
  /** The memories to choose from; undefined where none are added. */
  recalled: ReturnType<ContextService['recall']> | undefined
  /** The ids that the session was given before. */
  given: ReadonlySet<string>
}

interface Begun {
  /** The memories after the message; empty where there are none. */
  text: string
  /** See `OpenTurn`. */
  save(): Promise<ProxyTurn>
}

export type TurnBeginnings = ReturnType<typeof createTurnBeginnings>

/** How long the memories of a turn are shared that is not stored yet, in milliseconds. */
const SHARED_MS = 10_000

type BeginningDatabase = Pick<Database, 'db' | 'queryIn'>
type Contexts = Pick<ContextService, 'recall' | 'compose' | 'record'>

export const createTurnBeginnings = (database: BeginningDatabase, contexts: Contexts, log: Log) => {
  const choosing = new Map<string, Promise<Begun>>()
  const saving = new Map<string, Promise<unknown>>()

  const save = async (turn: NewTurn, chosen: Chosen): Promise<ProxyTurn> => {
    const key = keyOf(turn.at)
    const stored = runShared(() => store(database, contexts, turn, chosen))
    saving.set(key, stored)
    try {
      const { userId, scope, place, session, turn: id, ordinal } = await stored
      return { userId, scope, place, session, turn: id, ordinal, client: turn.request.client }
    } finally {
      if (saving.get(key) === stored) saving.delete(key)
    }
  }

  return {
    /** Starts to recall for the last message of a request; undefined where no memories are added. */
    recall(caller: Caller, request: TurnRequest): NewTurn['recalled'] {
      const query = questionOf(request)
      if (!request.isAdding || query.trim() === '') return undefined
      const recalled = contexts.recall(caller, { query, project: request.project })
      // It is awaited later, or never where the turn is known.
      recalled.catch(() => {})
      return recalled
    },

    /** Chooses the memories. Requests of one turn at the same time, such as one that counts its tokens, share it. */
    begin(caller: Caller, turn: NewTurn): Promise<Begun> {
      const key = keyOf(turn.at)
      const shared = choosing.get(key)
      if (shared) return shared
      const forget = () => {
        if (choosing.get(key) === begun) choosing.delete(key)
      }
      const begun = choose(contexts, log, caller, turn).then((chosen) => {
        // A request that is refused, as for a used-up quota, is not stored.
        setTimeout(forget, SHARED_MS).unref()
        return {
          text: chosen.text,
          save: onceDone(() => save(turn, chosen).finally(forget)),
        }
      })
      choosing.set(key, begun)
      return begun
    },

    /** Waits until turns are stored whose requests are under way. */
    async untilSaved(places: TurnKey[]): Promise<void> {
      await Promise.allSettled(places.map((place) => saving.get(keyOf(place))))
    },
  }
}

/** The memories after a message; empty where there are none. */
interface Chosen {
  text: string
  /** To record as given. */
  ids: string[]
}

const choose = async (
  contexts: Contexts,
  log: Log,
  caller: Caller,
  { request, at: { session }, recalled, given }: NewTurn,
): Promise<Chosen> => {
  if (!recalled) return { text: '', ids: [] }
  const asked = {
    query: questionOf(request),
    thread: captureThread({ client: request.client, session }),
    session,
    max_tokens: DEFAULT_CONTEXT_TOKENS,
    project: request.project,
  }
  const sources = { recalled, given: Promise.resolve(given) }
  // A failure of the memory is no failure of the model.
  return contexts.compose(caller, asked, sources).catch((error: unknown) => {
    log.warn({ error }, 'a proxied message gets no memories')
    return { text: '', ids: [] }
  })
}

/** Turns of one session are stored one after another, so that each has its own number. */
const store = (
  { db, queryIn }: BeginningDatabase,
  contexts: Contexts,
  turn: NewTurn,
  { text, ids }: Chosen,
) =>
  db.transaction(async (tx) => {
    const { request, at, replaced } = turn
    await serializeAdds(tx, at.userId, `proxy turn ${at.scope} ${at.session}`)
    const latest = await findNumbering(tx, { ...at, turn: request.turn })
    const added = await addTurn(tx, { ...at, ...numberOf(turn, latest), text }, replaced)
    if (added && ids.length) await contexts.record(queryIn(tx), at.userId, at.session, ids)
    const stored = added ?? (await findTurn(tx, at))
    if (!stored) throw new Error('a turn was deleted while it was stored')
    return stored
  })

const keyOf = ({ userId, scope, place }: TurnKey): string => `${userId} ${scope} ${place}`

const questionOf = ({ texts }: TurnRequest): string => storable(texts.at(-1) ?? '', MAX_TEXT_LENGTH)

/** The number and the id of a turn in its session. */
const numberOf = (
  { request, at }: NewTurn,
  latest: Awaited<ReturnType<typeof findNumbering>>,
): Pick<ProxyTurn, 'turn' | 'ordinal'> => {
  const { texts, numbersPrompts } = request
  const ordinal = latest ? latest.ordinal + 1 : texts.length
  // The beginning of the conversation must be known to have the same numbers as hooks.
  const isNumbered =
    numbersPrompts && (latest ? latest.turn === String(latest.ordinal) : texts.length === 1)
  const own = request.turn && (latest?.isUsed ? `${request.turn}:${ordinal}` : request.turn)
  return { turn: own ?? (isNumbered ? String(ordinal) : at.place.slice(0, 32)), ordinal }
}

/** Work that is done once, and again only after a failure. */
export const onceDone = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let done: Promise<T> | undefined
  return () => {
    done ??= work().catch((error) => {
      done = undefined
      throw error
    })
    return done
  }
}
