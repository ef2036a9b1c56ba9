import { isWithoutMemory } from '../../../shared/assistant-text.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { UsageReceipt } from '../../usage/counts/service.ts'
import type { ProxyCounting } from './counting.ts'
import { type Dialect, storable } from './dialect.ts'
import type { ProxyCall } from './forward.ts'
import {
  addTexts,
  hasMemories,
  type MemoryMode,
  memoryMode,
  type ProxiedRequest,
  projectOf,
  readRequest,
  sessionOf,
} from './request.ts'
import type { OpenTurn, ProxyTurnService } from './turns.ts'

const MAX_TURN_LENGTH = 150

/** A request with the turn that it belongs to. */
export interface Prepared {
  body: string
  turn?: OpenTurn | undefined
  /** Whether the request begins the turn, so that it counts as a message. */
  begins: boolean
  /** The person's message, where it is stored; empty where an earlier request had it. */
  text?: string | undefined
  project?: string | null
  /** Whether a request that continues from the response belongs to the turn. */
  isContinued?: boolean
}

/** A request, with what it says about its conversation. */
interface ReadCall {
  request: ProxiedRequest
  mode: MemoryMode
  session: string | undefined
  project: string | null
  /** The response that it continues. */
  previous: string | undefined
}

export const createPreparation = ({
  turns,
  counting,
}: {
  turns: ProxyTurnService
  counting: ProxyCounting
}) => {
  const prepareRead = async (
    caller: Caller,
    dialect: Dialect,
    read: ReadCall | undefined,
    json: string,
  ): Promise<Prepared> => {
    // The upstream says in its own words that a body is invalid.
    if (!read) return { body: json, begins: true }
    const { client, persons } = read.request
    const { session, previous } = read
    await turns.checkPrevious(caller, { client: client.name, session, previous })
    if (client.isAside) return { body: json, begins: false }
    return persons.length === 0 ? resume(turns, caller, read) : open(turns, caller, dialect, read)
  }

  return {
    /** Finds the turn of a request and adds its memories. @throws ApiError 400 for an invalid header. */
    prepare: async (caller: Caller, dialect: Dialect, call: ProxyCall): Promise<Prepared> =>
      prepareRead(caller, dialect, readCall(dialect, call), call.json ?? ''),

    /** As `prepare`, and counts a message of a person. @throws ApiError 429 when the messages are used up. */
    async prepareCounted(
      caller: Caller,
      dialect: Dialect,
      call: ProxyCall,
    ): Promise<{ prepared: Prepared; receipt: UsageReceipt | undefined }> {
      const read = readCall(dialect, call)
      // It is counted while its memories are chosen.
      const [counted, prepared] = await Promise.allSettled([
        isMessage(read) ? counting.message(caller) : undefined,
        prepareRead(caller, dialect, read, call.json ?? ''),
      ])
      if (counted.status === 'rejected') throw counted.reason
      if (prepared.status === 'rejected') {
        if (counted.value) await counting.refund(counted.value)
        throw prepared.reason
      }
      if (counted.value) return { prepared: prepared.value, receipt: counted.value }
      const { begins, turn } = prepared.value
      const receipt = begins ? counting.message(caller) : counting.other(caller, turn?.key)
      return { prepared: prepared.value, receipt: await receipt }
    },
  }
}

/** The turn of a request without a message of a person. */
const resume = async (
  turns: ProxyTurnService,
  caller: Caller,
  read: ReadCall,
): Promise<Prepared> => {
  const { request, mode, session, previous, project } = read
  const turn = await turns.resume(caller, { client: request.client.name, session, previous })
  const text = mode.isStoring ? '' : undefined
  return { body: request.json, begins: false, turn, text, project, isContinued: mode.isAdding }
}

const open = async (
  turns: ProxyTurnService,
  caller: Caller,
  dialect: Dialect,
  read: ReadCall,
): Promise<Prepared> => {
  const { request, mode, session, previous, project } = read
  const { client, persons, messages, isStart } = request
  const texts = persons.map((index) => messages[index]?.text ?? '')
  const text = texts.at(-1) ?? ''
  const { isAdding, isStoring } = modeOf(mode, text)
  const turn = await turns.open(caller, {
    client: client.name,
    session,
    turn: client.turn && storable(client.turn, MAX_TURN_LENGTH),
    project,
    numbersPrompts: client.numbersPrompts,
    texts,
    firstAnswer: messages.find(({ kind }) => kind === 'model')?.raw ?? '',
    previous,
    isStart,
    isAdding: isAdding && !hasMemories(request, persons.at(-1) ?? 0),
  })
  return {
    body: mode.isAdding ? addTexts(request, dialect, turn.additions) : request.json,
    turn,
    begins: isStart || turn.isNew,
    text: isStoring ? text : undefined,
    project,
    isContinued: isAdding,
  }
}

const readCall = (
  dialect: Dialect,
  { request: { headers }, json = '' }: ProxyCall,
): ReadCall | undefined => {
  const mode = memoryMode(headers)
  const project = projectOf(headers)
  const request = readRequest(json, headers, dialect)
  if (!request) return undefined
  const { response, conversation } = dialect.continuedBy?.(request.body) ?? {}
  const session = sessionOf(headers, request.client.session ?? conversation)
  return { request, mode, session, project, previous: response }
}

/** Whether a request is known to count as a message before its turn is found. */
const isMessage = (read: ReadCall | undefined): boolean =>
  !read || (read.request.isStart && read.request.persons.length > 0 && !read.request.client.isAside)

/** The memory has no part in a prompt that asks for that. */
const modeOf = (mode: MemoryMode, text: string): MemoryMode =>
  isWithoutMemory(text) ? { isAdding: false, isStoring: false } : mode
