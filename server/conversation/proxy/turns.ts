import { createHash, randomUUID } from 'node:crypto'
import { MAX_TEXT_LENGTH } from '../../../shared/contract/common.ts'
import { DEFAULT_CONTEXT_TOKENS } from '../../../shared/contract/context.ts'
import { captureThread } from '../../memory/capture/service.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Log } from '../../platform/log.ts'
import { defineRetention } from '../../platform/retention.ts'
import type { ContextService } from '../../prompt/context/service.ts'
import { storable } from './dialect.ts'
import { createSequences } from './sequences.ts'
import {
  deleteTurnsBefore,
  findNumbering,
  listTurns,
  markAnswered,
  renewTurns,
  saveTurn,
} from './store.ts'
import type { ProxyTurnRow } from './table.ts'

const KEPT_HOURS = 24
const RENEWED_AFTER_MS = 60 * 60 * 1_000

/** A message of a person in a request, with those before it. */
export interface TurnRequest {
  /** The program that sent the request. */
  client: string
  /** The conversation and the turn, as the program names them. */
  session: string | undefined
  turn: string | undefined
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

type ResumedTurn = Pick<TurnRequest, 'client' | 'session' | 'previous'>

export interface Turn extends Pick<ProxyTurnRow, 'userId' | 'scope' | 'place'> {
  client: string
  session: string
  turn: string
  ordinal: number
  isNew: boolean
  /** The memories after each of the person's messages; empty where there are none. */
  additions: string[]
}

export interface TurnService {
  /** Finds the turn of a request, or begins it: the memories are asked for once a turn. */
  open(caller: Caller, request: TurnRequest): Promise<Turn>
  /** Finds the turn that a request without a person's message continues, by its previous response. */
  resume(caller: Caller, request: ResumedTurn): Promise<Turn | undefined>
  /** Records that the model has answered, and by which id a later request continues from there. */
  finish(turn: Turn, responseId: string | undefined): Promise<void>
}

export const createTurnService = (
  { db, query }: Pick<Database, 'db' | 'query'>,
  contexts: Pick<ContextService, 'give'>,
  log: Log,
): TurnService => {
  /** Requests of one turn at the same time, such as one that counts its tokens, begin it once. */
  const opening = new Map<string, Promise<ProxyTurnRow>>()
  /** Turns of one session begin one after another, so that each has its own number. */
  const sequences = createSequences()

  /** A failure of the memory is no failure of the model. */
  const give = async (caller: Caller, text: string, thread: string, session: string) => {
    const request = {
      query: storable(text, MAX_TEXT_LENGTH),
      thread,
      session,
      max_tokens: DEFAULT_CONTEXT_TOKENS,
    }
    return contexts.give(caller, request).catch((error: unknown) => {
      log.warn({ error }, 'a proxied message gets no memories')
      return { text: '' }
    })
  }

  const begin = async (
    caller: Caller,
    request: TurnRequest,
    place: Pick<ProxyTurnRow, 'userId' | 'scope' | 'place' | 'session'>,
  ): Promise<ProxyTurnRow> => {
    const { client, texts } = request
    const { session } = place
    const latest = await findNumbering(query, { ...place, turn: request.turn })
    const ordinal = latest ? latest.ordinal + 1 : texts.length
    // The beginning of the conversation must be known to have the same numbers as hooks.
    const isNumbered =
      request.numbersPrompts &&
      (latest ? latest.turn === String(latest.ordinal) : texts.length === 1)
    const own = request.turn && (latest?.isUsed ? `${request.turn}:${ordinal}` : request.turn)
    const turn = own ?? (isNumbered ? String(ordinal) : place.place.slice(0, 32))
    const text = texts.at(-1) ?? ''
    const thread = captureThread({ client, session })
    const isAsking = request.isAdding && text.trim() !== ''
    const given = isAsking ? await give(caller, text, thread, session) : { text: '' }
    const row = { ...place, turn, ordinal, text: given.text, isAnswered: false }
    await saveTurn(db, row)
    return { ...row, usedAt: new Date() }
  }

  return {
    async open(caller, request) {
      const { userId, ownerId } = caller
      const { client, texts, isStart } = request
      const scope = scopeOf(ownerId, request)
      const start = request.previous ? responsePlace(request.previous) : ''
      const places = placesOf(start, texts)
      const place = places.at(-1) ?? ''
      const found = await listTurns(db, { userId, scope }, [start, ...places])
      if (found.some(({ usedAt }) => Date.now() - usedAt.getTime() > RENEWED_AFTER_MS))
        await renewTurns(db, { userId, scope }, [start, ...places])
      const rows = new Map(found.map((row) => [row.place, row]))
      const known = rows.get(place)
      // A program without ids of conversations can begin two of them with the same words.
      const isFirst = texts.length === 1 && !request.session && !request.previous
      const isAnother = isFirst && isStart && known?.isAnswered
      let current = isAnother ? undefined : known
      if (!current) {
        const before = [start, ...places.slice(0, -1)].findLast((each) => rows.has(each))
        const session = request.session ?? rows.get(before ?? '')?.session ?? newSession(request)
        const key = `${userId} ${scope} ${place}`
        const at = { userId, scope, place, session }
        const begun =
          opening.get(key) ??
          sequences.run(`${userId} ${scope} ${session}`, () => begin(caller, request, at))
        opening.set(key, begun)
        current = await begun.finally(() => opening.delete(key))
        rows.set(place, current)
      }
      const { session, turn, ordinal } = current
      const additions = places.map((each) => rows.get(each)?.text ?? '')
      const isNew = current !== known
      return { userId, scope, place, client, session, turn, ordinal, isNew, additions }
    },

    async resume({ userId, ownerId }, request) {
      if (!request.previous) return undefined
      const { client } = request
      const scope = scopeOf(ownerId, request)
      const place = responsePlace(request.previous)
      const [row] = await listTurns(db, { userId, scope }, [place])
      if (!row) return undefined
      const { session, turn, ordinal } = row
      return { userId, scope, place, client, session, turn, ordinal, isNew: false, additions: [] }
    },

    async finish({ userId, scope, place, session, turn, ordinal }, responseId) {
      await markAnswered(db, { userId, scope, place })
      if (!responseId) return
      const end = { userId, scope, place: responsePlace(responseId), session, turn, ordinal }
      await saveTurn(db, { ...end, text: '', isAnswered: true })
    },
  }
}

/**
 * The place of each message: a hash of it and the person's messages before. Programs change the rest of a
 * conversation between requests, such as marks for caches and results of tools.
 */
const placesOf = (start: string, texts: string[]): string[] => {
  let place = start
  return texts.map((text) => {
    place = hashOf(place, text)
    return place
  })
}

/**
 * The id of a conversation of which no turn is known. The first answer distinguishes conversations that
 * begin with the same words.
 */
const newSession = ({ texts: [first = '', ...later], firstAnswer }: TurnRequest): string =>
  later.length === 0 ? randomUUID() : hashOf(first, firstAnswer).slice(0, 32)

/** The place after a response, which the provider keeps with the messages before. */
const responsePlace = (id: string): string => hashOf('response', id)

const scopeOf = (ownerId: string, { client, session }: ResumedTurn): string =>
  hashOf(ownerId, client, session ?? '')

const hashOf = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')

export const proxyRetention = defineRetention({
  name: 'proxy_turns',
  run: ({ query }) => deleteTurnsBefore(query, KEPT_HOURS),
})
