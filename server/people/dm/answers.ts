import { presentCurrentUser } from '../../account/users/present.ts'
import type { UserRow } from '../../account/users/table.ts'
import type { Receipt, UsageService } from '../../billing/usage/service.ts'
import type { DataItem } from '../../conversation/prompt/data.ts'
import { quoteMemories } from '../../conversation/prompt/local.ts'
import type { Prompts } from '../../conversation/prompt/prompts.ts'
import { DEPTHS, queryFor } from '../../conversation/prompt/recollection.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import { ModelFailure } from '../../platform/models/failure.ts'
import type { Models } from '../../platform/models/types.ts'
import { withoutMention } from './mention.ts'
import { authorOf, nameOf } from './present.ts'
import {
  findMessage,
  findPeople,
  findQuestion,
  insertMessage,
  isAnswered,
  listMessages,
  type Person,
  takePosition,
} from './store.ts'
import type { DmMessageRow } from './table.ts'

/** What was said before, as far as a model is told of it. */
const HISTORY_LIMIT = 20
const RETRIES = 20
/** A model takes its time, and others wait. */
const CONCURRENCY = 4

const CONTEXT =
  '(This is asked in a thread of two people, and the other one reads the answer too. What was written there before is quoted as notes, oldest first.)'
const UNANSWERED = 'I could not answer: no model can be reached just now. Please ask again later.'
const USED_UP =
  'I cannot answer: whoever asked has used up what their plan allows for messages this month.'

export interface AnswerSurroundings {
  database: Database
  jobs: Jobs
  prompts: Prompts
  models: Models
  usage: Pick<UsageService, 'take' | 'giveBack'>
}

/** What the service says where it is asked in a thread: once to each question, whatever is tried again. */
export interface Answers {
  /** Has a question answered, within the transaction that keeps it; it counts as a message of the asker's. */
  ask(tx: Db, question: DmMessageRow): Promise<void>
  /** Breaks off what is under way: it is tried again when a server runs. */
  stop(): void
}

export const startAnswers = async ({
  database: { db },
  jobs,
  prompts,
  models,
  usage,
}: AnswerSurroundings): Promise<Answers> => {
  const stopping = new AbortController()

  const prepare = async (asker: UserRow, peerId: string, question: DmMessageRow) => {
    const people = await findPeople(db, [asker.id, peerId])
    const before = await saidBefore(db, question)
    // What the other one wrote does not choose what is recalled.
    const own = before.findLast(({ userId, isAnswer }) => userId === asker.id && !isAnswer)
    const caller = callerOf(asker)
    return prompts.prepare(caller, {
      message: question.content,
      context: CONTEXT,
      provider: undefined,
      recollecting: {
        query: queryFor(withoutMention(question.content), own?.content),
        limit: DEPTHS.quick.memories,
        // Both read the answer: nothing of an organization, which the other one may not be in.
        scope: 'personal',
        agentSlug: null,
        except: new Set(),
      },
      // What the other one writes is no word of the asker's: it gives no orders.
      materials: { texts: before.map((message) => noteOf(message, people)), pictures: [] },
      history: [],
      tools: [],
      steps: 0,
      place: {
        thread: `dm:${question.threadId}`,
        memoryType: 'episodic',
        agentSlug: null,
        author: 'svc',
        ref: question.messageId,
      },
    })
  }

  /** @returns undefined when nobody answers. @throws what stops the server. */
  const generate = async (asker: UserRow, peerId: string, question: DmMessageRow) => {
    const { request, memories } = await prepare(asker, peerId, question)
    // Nothing is remembered of a thread, so a message that says something is not said to be.
    const local = quoteMemories('', memories, asker.timezone)
    try {
      return (await models.generate({ ...request, local }, stopping.signal)).text
    } catch (error) {
      if (error instanceof ModelFailure) return undefined
      throw error
    }
  }

  const kind: JobKind<{ questionId: string; receipt?: Receipt }> = {
    name: 'dm-answer',
    retries: RETRIES,
    concurrency: CONCURRENCY,
    keyOf: ({ questionId }) => questionId,
    async run({ questionId, receipt }) {
      const found = await findQuestion(db, questionId)
      if (!found || found.asker.disabledAt || (await isAnswered(db, questionId))) return
      const { question, asker, peerId } = found
      const text = await generate(asker, peerId, question)
      await db.transaction(async (tx) => {
        const isKept = await keep(tx, question, text ?? UNANSWERED)
        if (isKept && text === undefined && receipt) await usage.giveBack(receipt, tx)
      })
    },
  }
  await jobs.work(kind)

  return {
    async ask(tx, question) {
      const { userId, messageId } = question
      const receipt = await unlessUsedUp(usage.take(userId, 'messages', { tx }))
      if (receipt) await jobs.send(kind, { questionId: messageId, receipt }, { tx })
      else await keep(tx, question, USED_UP)
    },
    stop: () => stopping.abort(new Error('the server stops')),
  }
}

/** Adds an answer, unless the question has one or is gone by now. @returns whether it did. */
const keep = async (tx: Db, question: DmMessageRow, content: string): Promise<boolean> => {
  const { threadId, userId, messageId } = question
  const position = await takePosition(tx, threadId)
  if (position === undefined || !(await findMessage(tx, threadId, messageId))) return false
  if (await isAnswered(tx, messageId)) return false
  await insertMessage(tx, {
    threadId,
    userId,
    position,
    content,
    isAnswer: true,
    replyTo: messageId,
  })
  return true
}

const unlessUsedUp = async (taking: Promise<Receipt>): Promise<Receipt | undefined> => {
  try {
    return await taking
  } catch (error) {
    if (error instanceof ApiError && error.status === 429) return undefined
    throw error
  }
}

/** The last messages before a question, oldest first, with the one that it replies to. */
const saidBefore = async (db: Db, question: DmMessageRow): Promise<DmMessageRow[]> => {
  const { threadId, position: before, replyTo } = question
  const recent = await listMessages(db, threadId, { before, limit: HISTORY_LIMIT })
  const isThere = !replyTo || recent.some(({ messageId }) => messageId === replyTo)
  const replied = isThere ? undefined : await findMessage(db, threadId, replyTo)
  return [...(replied ? [replied] : []), ...recent.toReversed()]
}

const noteOf = (message: DmMessageRow, people: Person[]): DataItem => ({
  kind: 'note',
  about: {
    written_by: nameOf(authorOf(message, people)),
    at: message.createdAt.toISOString().slice(0, 16),
  },
  text: message.content,
})

/** The asker, for themselves alone: in no organization. */
const callerOf = (user: UserRow): Caller => ({
  userId: user.id,
  ownerId: user.id,
  sessionId: null,
  keyId: null,
  timezone: user.timezone,
  me: {
    ...presentCurrentUser(user, () => false),
    tier: user.tier,
    credential: 'jwt',
    org: null,
  },
})
