import { createHash, randomUUID } from 'node:crypto'
import type { Database, Query } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { runShared } from '../../platform/request-scope.ts'
import { defineRetention } from '../../platform/retention.ts'
import { onceDone, type ProxyTurn, type TurnBeginnings, type TurnRequest } from './beginning.ts'
import { proxyError } from './errors.ts'
import { deleteTurnsBefore, endTurn, findConversation, isElsewhere, renewTurns } from './store.ts'

const KEPT_HOURS = 24

type ResumedTurn = Pick<TurnRequest, 'client' | 'session' | 'previous'>

/** The turn of a request. */
export interface OpenTurn {
  isNew: boolean
  /** Identifies a turn of the owner that is known. */
  key?: string
  /** The memories after each of the person's messages; empty where there are none. */
  additions: string[]
  /**
   * Stores a new turn and what it was given, or adopts the one that another request has stored at its place
   * meanwhile. Every call returns the same turn; one after a failure tries again.
   */
  save(): Promise<ProxyTurn>
}

export type ProxyTurnService = ReturnType<typeof createTurnService>

export const createTurnService = (
  { query }: Pick<Database, 'query'>,
  beginnings: TurnBeginnings,
) => {
  const find = findingTurns(query, beginnings)

  return {
    /**
     * Finds the turn of a request, or begins it: the memories are asked for once a turn. Nothing is stored
     * before `save`, so that the request to the model need not wait for it.
     */
    async open(caller: Caller, request: TurnRequest): Promise<OpenTurn> {
      const { client, texts, firstAnswer, previous, isStart } = request
      // While the turn is looked up. One that is known is seldom sent from its start.
      const early = isStart ? beginnings.recall(caller, request) : undefined
      const { at, places, earlier, turns, given, renewing } = await find(caller, request)
      const additions = places.map((each) => turns.get(each)?.text ?? '')
      const there = turns.get(at.place)
      // A program without ids of conversations can begin two of them with the same words.
      const isFirst = texts.length === 1 && !request.session && !previous
      if (there && !(isFirst && isStart && there.isAnswered)) {
        const { session, turn, ordinal } = there
        const { save, ...open } = known({ ...at, client, session, turn, ordinal })
        return { ...open, additions, save: renewing(save) }
      }
      const before = earlier.findLast((each) => turns.has(each))
      const session =
        request.session ?? turns.get(before ?? '')?.session ?? newConversationId(texts, firstAnswer)
      const { text, save } = await beginnings.begin(caller, {
        request,
        at: { ...at, session },
        replaced: there?.session,
        recalled: early ?? beginnings.recall(caller, request),
        given: new Set(given.filter((each) => each.session === session).map(({ id }) => id)),
      })
      return { isNew: true, additions: additions.with(-1, text), save: renewing(save) }
    },

    /**
     * Checks that a response that a request in an organization continues began there: the provider keeps what svc gave
     * before, which may be memories of the person alone.
     * @throws ApiError 404.
     */
    async checkPrevious(
      { userId, ownerId }: Caller,
      { client, session, previous }: ResumedTurn,
    ): Promise<void> {
      if (!previous || ownerId === userId) return
      const scope = scopeOf(ownerId, client, session)
      if (await isElsewhere(query, { userId, scope, place: responsePlace(previous) }))
        throw proxyError('proxy_response_elsewhere')
    },

    /** Finds the turn that a request without a person's message continues, by its previous response. */
    async resume(
      { userId, ownerId }: Caller,
      { client, session: named, previous }: ResumedTurn,
    ): Promise<OpenTurn | undefined> {
      if (!previous) return undefined
      const scope = scopeOf(ownerId, client, named)
      const place = responsePlace(previous)
      const { turns } = await findConversation(query, { userId, scope }, [place], named)
      const [found] = turns
      if (!found) return undefined
      const { session, turn, ordinal } = found
      return { ...known({ userId, scope, place, client, session, turn, ordinal }), additions: [] }
    },

    /** Records that the model has answered, and by which id a later request continues from there. */
    finish: (turn: ProxyTurn, responseId: string | undefined): Promise<void> =>
      endTurn(query, turn, responseId ? responsePlace(responseId) : undefined),
  }
}

/** The places of a request, with the turns that are known there. */
const findingTurns =
  (query: Query, beginnings: TurnBeginnings) =>
  async ({ userId, ownerId }: Caller, request: TurnRequest) => {
    const { client, session, previous, texts } = request
    const scope = scopeOf(ownerId, client, session)
    const start = previous ? responsePlace(previous) : ''
    const places = placesOf(start, texts)
    const place = places.at(-1) ?? ''
    const earlier = [start, ...places.slice(0, -1)]
    // Otherwise it would ask for their memories again.
    await beginnings.untilSaved(earlier.map((each) => ({ userId, scope, place: each })))
    const found = await findConversation(query, { userId, scope }, [...earlier, place], session)
    const turns = new Map(found.turns.map((turn) => [turn.place, turn]))
    const isOld = found.turns.some(({ isRecent }) => !isRecent)
    const renew = () => renewTurns(query, { userId, scope }, [...earlier, place])
    /** Keeps the turns of a conversation that goes on. */
    const renewing = (save: OpenTurn['save']) =>
      isOld ? onceDone(() => runShared(renew).then(save)) : save
    return { at: { userId, scope, place }, places, earlier, turns, given: found.given, renewing }
  }

const known = (turn: ProxyTurn): Pick<OpenTurn, 'isNew' | 'key' | 'save'> => ({
  isNew: false,
  key: `${turn.scope} ${turn.session} ${turn.turn}`,
  save: async () => turn,
})

export const proxyRetention = defineRetention({
  name: 'proxy_turns',
  run: ({ query }) => deleteTurnsBefore(query, KEPT_HOURS),
})

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

/** The place after a response, which the provider keeps with the messages before. */
const responsePlace = (id: string): string => hashOf('response', id)

/**
 * The id of a conversation of which no turn is known. The first answer distinguishes conversations that
 * begin with the same words.
 */
const newConversationId = ([first = '', ...later]: string[], firstAnswer: string): string =>
  later.length === 0 ? randomUUID() : hashOf(first, firstAnswer).slice(0, 32)

/** The conversation that a program names, or all those of one that names none. */
const scopeOf = (ownerId: string, client: string, session: string | undefined): string =>
  hashOf(ownerId, client, session ?? '')

const hashOf = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')
