import type { EventOf } from '../../../shared/contract/endpoint.ts'
import type {
  ChatAnswer,
  ChatRequest,
  chatEvents,
  Depth,
  RegenerateRequest,
} from '../../../shared/schemas/chat.ts'
import type { ChatMessage } from '../../../shared/schemas/chat-sessions.ts'
import { isUuid } from '../../../shared/schemas/common.ts'
import type { ReflexService } from '../../automation/reflexes/service.ts'
import type { Gates } from '../../billing/gates.ts'
import type { UsageService } from '../../billing/usage/service.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Models } from '../../platform/models/types.ts'
import { answer, type Given, type Turn, whole } from '../prompt/answer.ts'
import { type Ask, counted } from '../prompt/counted.ts'
import type { DataItem } from '../prompt/data.ts'
import type { Learning, Place } from '../prompt/learning.ts'
import {
  type Attached,
  filesOf,
  type Gather,
  type Materials,
  wordsOf,
} from '../prompt/materials.ts'
import { checkBlocks } from '../prompt/pictures.ts'
import { type PreparedPrompt, type Prompts, personOf } from '../prompt/prompts.ts'
import { DEPTHS, queryFor } from '../prompt/recollection.ts'
import type { ChatSessionService } from '../sessions/service.ts'
import type { ChatMessageRow } from '../sessions/table.ts'
import { attachedTo, isTidings, toldOf } from './history.ts'

export type ChatEvent = EventOf<typeof chatEvents>

/** More messages than fit into the window of most models. */
const HISTORY_LIMIT = 200
/** Of what reflexes told; older tidings are no news. */
const MAX_TIDINGS = 5
const ASSISTANT = 'svc'

type Said = Omit<ChatRequest, 'session_id'>

/** What is asked, and where its answer goes. */
interface Round {
  sessionId: string
  /** Whether the session begins with it. */
  isNew: boolean
  said: Said
  attached: Attached
  /** What was said before the question. */
  before: ChatMessageRow[]
  /** The question, where it is kept already. */
  question: ChatMessageRow | undefined
  /** The answer that is given anew. */
  replaced: ChatMessageRow | undefined
}

/** The same before its session is open. */
type Asked = Omit<Round, 'sessionId'> & { sessionId: string | null }

export type ChatService = ReturnType<typeof createChatService>

export const createChatService = ({
  sessions,
  prompts,
  materials,
  learning,
  models,
  gates,
  usage,
  reflexes,
}: {
  sessions: Pick<
    ChatSessionService,
    'open' | 'get' | 'history' | 'ask' | 'answer' | 'replaceAnswer' | 'delete'
  >
  prompts: Prompts
  materials: Gather
  learning: Learning
  models: Models
  gates: Pick<Gates, 'requireDepth'>
  usage: Pick<UsageService, 'take' | 'giveBack'>
  reflexes?: Pick<ReflexService, 'describe'>
}) => {
  /** @throws ApiError 404 for a session that is not there or not the caller's. */
  const historyOf = async (caller: Caller, sessionId: string): Promise<ChatMessageRow[]> => {
    if (!isUuid(sessionId)) throw new ApiError(404, 'Session not found')
    await sessions.get(caller, sessionId)
    return sessions.history(caller, sessionId, HISTORY_LIMIT)
  }

  const checkDepth = (caller: Caller, said: Said): void => {
    if (said.deep) gates.requireDepth(caller, 'deep')
    gates.requireDepth(caller, depthOf(said))
  }

  const newRound = async (caller: Caller, { session_id, ...said }: ChatRequest): Promise<Asked> => {
    checkSaid(said)
    checkDepth(caller, said)
    const rows = session_id ? await historyOf(caller, session_id) : []
    const attached = attachedOf(said)
    const last = rows.at(-1)
    // Said again, because nobody answered.
    const question = last && last.role === 'user' && isSame(last, attached) ? last : undefined
    return {
      sessionId: session_id ?? null,
      isNew: !session_id,
      said,
      attached,
      before: question ? rows.slice(0, -1) : rows,
      question,
      replaced: undefined,
    }
  }

  /** @throws ApiError 404 as `historyOf`, 409 where nothing was asked. */
  const lastRound = async (
    caller: Caller,
    { session_id: sessionId, ...said }: RegenerateRequest,
  ): Promise<Round> => {
    checkSaid(said)
    checkDepth(caller, said)
    const rows = await historyOf(caller, sessionId)
    const exchanged = rows.filter((row) => !isTidings(row))
    const replaced = exchanged.findLast(({ role }) => role === 'assistant')
    const isAnswered = exchanged.at(-1)?.role === 'assistant'
    const question = isAnswered
      ? rows.find(({ messageId }) => messageId === replaced?.replyTo)
      : exchanged.at(-1)
    if (!question) throw new ApiError(409, 'There is no answer in this session to give anew')
    const given = attachedOf(said)
    const asked = attachedTo(question)
    const carries = filesOf(given).length + given.blocks.length > 0 || given.snapshotHash
    return {
      sessionId,
      isNew: false,
      said,
      // What the question carried is not sent again with every answer.
      attached: carries ? given : { ...asked, message: given.message },
      before: rows.filter(({ position }) => position < question.position),
      question,
      replaced: isAnswered ? replaced : undefined,
    }
  }

  const placeOf = (sessionId: string): Place => ({
    thread: `session:${sessionId}`,
    memoryType: 'episodic',
    agentSlug: null,
  })

  /** What a question is about beside its words, and what reflexes told before it: shown as data. */
  const notesOf = async (caller: Caller, { said, before }: Round): Promise<DataItem[]> => {
    const id = said.existing_reflex_id
    const described = id ? await reflexes?.describe(caller, id) : undefined
    const told = before.filter(isTidings).slice(-MAX_TIDINGS)
    return [
      ...told.map(({ content, createdAt }) => ({
        kind: 'note' as const,
        about: { from: 'a reflex', at: createdAt.toISOString() },
        text: content,
      })),
      ...(described
        ? [{ kind: 'note' as const, about: {}, text: `It is about this reflex: ${described}` }]
        : []),
    ]
  }

  const prepare = async (caller: Caller, round: Round, gathered: Materials, ref: string) => {
    const { said, attached, before, sessionId } = round
    const depth = depthOf(said)
    const earlier = before.findLast(({ role }) => role === 'user')?.content
    const message = wordsOf(attached)
    return prompts.prepare(caller, {
      message,
      provider: said.provider,
      recollecting: {
        query: queryFor(message, earlier),
        limit: DEPTHS[depth].memories,
        scope: 'all',
        agentSlug: null,
        except: new Set([...before.map(({ messageId }) => messageId), ref]),
      },
      materials: { ...gathered, texts: [...gathered.texts, ...(await notesOf(caller, round))] },
      history: before.map(toldOf),
      tools: depth === 'quick' ? said.tools : [...said.tools, 'recall'],
      steps: said.tools.length ? 0 : DEPTHS[depth].steps,
      location: locationOf(said),
      place: { ...placeOf(sessionId), author: ASSISTANT, ref },
    })
  }

  const turnOf = (
    caller: Caller,
    round: Round,
    questionId: string,
    gathered: Materials,
    { request, memories, sources }: PreparedPrompt,
    signal: AbortSignal,
  ): Turn<ChatMessage> => {
    const { sessionId, replaced, attached } = round
    const place = placeOf(sessionId)
    const keep = async (given: Given): Promise<ChatMessage> => {
      const { content, provider, model, usage, isPartial, messageId } = given
      const kept = {
        content,
        provider,
        model,
        usage,
        isPartial,
        isUnread: signal.aborted,
        memories: memories.map(({ memory_id, score }) => ({ memory_id, score })),
      }
      const message = replaced
        ? await sessions.replaceAnswer(caller, sessionId, replaced.messageId, kept)
        : await sessions.answer(caller, sessionId, { messageId, replyTo: questionId }, kept)
      if (provider !== 'local' && !isPartial) {
        const words = { ...place, content, author: ASSISTANT, ref: messageId }
        await learning.answer(caller, words, sources, replaced !== undefined)
      }
      return message
    }
    return {
      request,
      messageId: replaced?.messageId,
      memories,
      events: gathered.events,
      begun: () =>
        learning.words(
          caller,
          {
            ...place,
            content: wordsOf(attached),
            author: personOf(caller),
            ref: questionId,
          },
          memories,
        ),
      // Nobody was told of this session.
      unanswered: async () => {
        if (round.isNew) await sessions.delete(caller, sessionId)
      },
      keep,
    }
  }

  /** Everything from a question to its answer, wherever both come from. */
  async function* converse(
    caller: Caller,
    asked: Asked,
    ask: Ask,
    signal: AbortSignal,
  ): AsyncGenerator<ChatEvent> {
    const gathered = await materials.gather(
      caller,
      asked.attached,
      asked.before.filter(({ role }) => role === 'user').map(attachedTo),
    )
    const sessionId = asked.sessionId ?? (await sessions.open(caller, null))
    const round: Round = { ...asked, sessionId }
    const { message, blocks, fileIds } = round.attached
    const questionId =
      round.question?.messageId ??
      (
        await sessions.ask(caller, sessionId, {
          content: message,
          contentBlocks: blocks,
          fileIds,
          urlSnapshotHash: gathered.snapshotHash,
        })
      ).id
    const prompt = await prepare(caller, round, gathered, questionId)
    const turn = turnOf(caller, round, questionId, gathered, prompt, signal)
    for await (const event of answer(ask(prompt.request), turn)) {
      if (event.event === 'start')
        yield { event: 'start', data: { session_id: sessionId, ...event.data } }
      else if (event.event === 'done')
        yield { event: 'done', data: { message: event.kept, usage: event.usage } }
      else yield event
    }
  }

  const conversation = (caller: Caller, asked: Asked, ask: Ask, signal: AbortSignal) =>
    counted(usage, caller, { ask, signal }, (asking) => converse(caller, asked, asking, signal))

  const streamed =
    (signal: AbortSignal): Ask =>
    (request) =>
      models.stream(request, signal)
  const atOnce =
    (signal: AbortSignal): Ask =>
    (request) =>
      whole(models, request, signal)

  return {
    /**
     * @throws ApiError 404 for a session, file or page that is not there; 403 for a depth that the tier
     * does not open; 429 when the month's messages are used up; 502-504 when no model answers.
     */
    async *stream(caller: Caller, body: ChatRequest, signal: AbortSignal) {
      yield* conversation(caller, await newRound(caller, body), streamed(signal), signal)
    },

    /** @throws ApiError as `stream`. */
    async say(caller: Caller, body: ChatRequest, signal: AbortSignal): Promise<ChatAnswer> {
      const answered: Partial<ChatAnswer> = {}
      const events = conversation(caller, await newRound(caller, body), atOnce(signal), signal)
      for await (const { event, data } of events) {
        if (event === 'start') answered.session_id = data.session_id
        if (event === 'memories') answered.memories = data.memories
        if (event === 'done') answered.message = data.message
      }
      return answered as ChatAnswer
    },

    /** @throws ApiError as `stream`, and 409 where there is nothing to answer anew. */
    async *streamAgain(caller: Caller, body: RegenerateRequest, signal: AbortSignal) {
      yield* conversation(caller, await lastRound(caller, body), streamed(signal), signal)
    },

    /** @throws ApiError as `streamAgain`. */
    async sayAgain(caller: Caller, body: RegenerateRequest, signal: AbortSignal): Promise<void> {
      const events = conversation(caller, await lastRound(caller, body), atOnce(signal), signal)
      for await (const _ of events);
    },
  }
}

/** @throws ApiError 422 for a message that carries nothing at all, or blocks that are not whole. */
const checkSaid = ({ message, file_ids, content_blocks }: Said): void => {
  checkBlocks(content_blocks)
  if (message.trim() || file_ids.length || content_blocks.length) return
  const msg = 'String should have at least 1 character'
  throw new ApiError(422, [{ loc: ['body', 'message'], type: 'string_too_short', msg }])
}

const attachedOf = (said: Said): Attached => ({
  message: said.message,
  blocks: said.content_blocks,
  fileIds: said.file_ids,
  snapshotHash: said.url_snapshot_hash ?? null,
})

const isSame = (row: ChatMessageRow, attached: Attached): boolean =>
  JSON.stringify({ ...attachedTo(row), snapshotHash: null }) ===
  JSON.stringify({ ...attached, snapshotHash: null })

const depthOf = ({ depth, deep }: Said): Depth => depth ?? (deep ? 'deep' : 'quick')

const locationOf = ({ geo_lat, geo_lon }: Said) =>
  typeof geo_lat === 'number' && typeof geo_lon === 'number'
    ? { latitude: geo_lat, longitude: geo_lon }
    : undefined
