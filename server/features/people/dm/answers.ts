import type { UserRow } from '../../../account/users/table.ts'
import { presentCurrentUser } from '../../../account/users/user.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { ApiError } from '../../../platform/http/error.ts'
import type { JobKind, Jobs } from '../../../platform/jobs.ts'
import { ModelFailure } from '../../../platform/models/failure.ts'
import type { Models } from '../../../platform/models/types.ts'
import type { PromptRequest, PromptService } from '../../../prompt/prompt.ts'
import type { DataItem } from '../../../prompt/quoted-data.ts'
import { DEPTHS, recallQuery } from '../../../prompt/recall.ts'
import type { UsageReceipt, UsageService } from '../../../usage/counts/service.ts'
import {
  type AuthoredQuestion,
  findDmMessage,
  findQuestion,
  insertDmMessage,
  isDmAnswered,
  listDmMessages,
  nextDmPosition,
} from './message-store.ts'
import { authorOf, participantName } from './present.ts'
import { findParticipants, type Participant } from './store.ts'
import type { DmMessageRow } from './table.ts'

/** Earlier messages in the prompt. */
const HISTORY_LIMIT = 20
const RETRIES = 20
/** Answers generated at the same time: most of each is waiting for the model. */
const CONCURRENCY = 4

const CONTEXT =
  '(This is asked in a thread of two people, and the other one reads the answer too. What was written there before is quoted as notes, oldest first.)'
const UNANSWERED = 'I could not answer: no model can be reached just now. Please ask again later.'
const USED_UP = 'I cannot answer: the messages that your plan includes this month are used up.'

/** Announces a message that was stored, after the commit, to those who see it. */
export type AnnounceMessage = (
  tx: Db,
  message: {
    /** The id of a user; null for an answer of svc. */
    from: string | null
    to: readonly string[]
  },
) => void

interface AnswerDeps {
  announce: AnnounceMessage
  database: Database
  jobs: Jobs
  prompts: PromptService
  models: Pick<Models, 'generate'>
  usage: Pick<UsageService, 'consume' | 'refund'>
}

/** Answers messages of a thread that mention the service, each once. */
export type MentionAnswers = ReturnType<typeof startAnswers>

export const startAnswers = ({
  announce,
  database: { db },
  jobs,
  prompts,
  models,
  usage,
}: AnswerDeps) => {
  const stopping = new AbortController()

  /** @returns whether it was stored: not where the question was deleted or is answered already. */
  const store = async (
    tx: Db,
    question: DmMessageRow,
    peerId: string,
    content: string,
  ): Promise<boolean> => {
    const isStored = await insertAnswer(tx, question, content)
    if (isStored) announce(tx, { from: null, to: [question.userId, peerId] })
    return isStored
  }

  const storeUnanswered = (
    { question, peerId }: AuthoredQuestion,
    receipt: UsageReceipt | undefined,
  ) =>
    db.transaction(async (tx) => {
      const isStored = await store(tx, question, peerId, UNANSWERED)
      if (isStored && receipt) await usage.refund(receipt, tx)
    })

  /**
   * Answers a question. Nothing is learned: the memories of a thread would mix two people's messages.
   * @throws ModelFailure when no model answers.
   */
  const answer = async ({ question, author, peerId }: AuthoredQuestion): Promise<void> => {
    // Prepare.
    const participants = await findParticipants(db, [author.id, peerId])
    const history = await messagesBefore(db, question)
    const { request } = await prompts.prepare(
      callerOf(author),
      promptFor(question, author, participants, history),
      { isLearned: false },
    )

    // Generate. The answer is delivered as a whole, so there is no part of it to store.
    const { text } = await models.generate(request, stopping.signal)

    // Store.
    await db.transaction((tx) => store(tx, question, peerId, text))
  }

  const kind: JobKind<{ questionId: string; receipt?: UsageReceipt }> = {
    name: 'dm-answer',
    retries: RETRIES,
    concurrency: CONCURRENCY,
    keyOf: ({ questionId }) => questionId,
    async run({ questionId, receipt }) {
      const found = await findQuestion(db, questionId)
      if (!found || found.author.disabledAt || (await isDmAnswered(db, questionId))) return
      try {
        await answer(found)
      } catch (error) {
        if (!(error instanceof ModelFailure)) throw error
        await storeUnanswered(found, receipt)
      }
    },
  }
  jobs.work(kind)

  return {
    /** Queues the answer within the transaction that stores the question; it consumes a message of its author. */
    async ask(tx: Db, question: DmMessageRow, peerId: string): Promise<void> {
      const { userId, messageId } = question
      const receipt = await receiptUnlessUsedUp(usage.consume(userId, 'messages', { tx }))
      if (receipt) await jobs.send(kind, { questionId: messageId, receipt }, { tx })
      else await store(tx, question, peerId, USED_UP)
    },
    /** Aborts the running jobs, which another server retries. */
    stop: (): void => stopping.abort(new Error('the server stops')),
  }
}

/** The other participant reads the answer, and their messages must not steer it. */
const promptFor = (
  question: DmMessageRow,
  author: UserRow,
  participants: Participant[],
  history: DmMessageRow[],
): PromptRequest => {
  const previous = history.findLast(({ userId, isAnswer }) => userId === author.id && !isAnswer)
  return {
    message: question.content,
    context: CONTEXT,
    provider: undefined,
    recall: {
      query: recallQuery(withoutMention(question.content), previous?.content),
      limit: DEPTHS.quick.memories,
      // The other participant may not be a member of the author's organizations.
      scope: 'personal',
      agentSlug: null,
      except: new Set(),
    },
    // As quoted notes, not as history: the other participant gives no instructions.
    attachments: {
      texts: history.map((message) => quoteMessage(message, participants)),
      images: [],
    },
    history: [],
    tools: [],
    maxSteps: 0,
    toolMemories: {
      thread: `dm:${question.threadId}`,
      memoryType: 'episodic',
      agentSlug: null,
      author: 'svc',
      ref: question.messageId,
    },
  }
}

/** @returns whether it was inserted. */
const insertAnswer = async (tx: Db, question: DmMessageRow, content: string): Promise<boolean> => {
  const { threadId, userId, messageId } = question
  const position = await nextDmPosition(tx, threadId)
  if (position === undefined || !(await findDmMessage(tx, threadId, messageId))) return false
  if (await isDmAnswered(tx, messageId)) return false
  await insertDmMessage(tx, {
    threadId,
    userId,
    position,
    content,
    isAnswer: true,
    replyTo: messageId,
  })
  return true
}

/** @returns undefined if the usage is rejected with 429. */
const receiptUnlessUsedUp = async (
  consuming: Promise<UsageReceipt>,
): Promise<UsageReceipt | undefined> => {
  try {
    return await consuming
  } catch (error) {
    if (error instanceof ApiError && error.status === 429) return undefined
    throw error
  }
}

/** The last messages before a question, oldest first, with the message that it replies to. */
const messagesBefore = async (db: Db, question: DmMessageRow): Promise<DmMessageRow[]> => {
  const { threadId, position: before, replyTo } = question
  const recent = await listDmMessages(db, threadId, { before, limit: HISTORY_LIMIT })
  const isIncluded = !replyTo || recent.some(({ messageId }) => messageId === replyTo)
  const replied = isIncluded ? undefined : await findDmMessage(db, threadId, replyTo)
  return [...(replied ? [replied] : []), ...recent.toReversed()]
}

const quoteMessage = (message: DmMessageRow, participants: Participant[]): DataItem => ({
  kind: 'note',
  attributes: {
    written_by: participantName(authorOf(message, participants)),
    at: message.createdAt.toISOString().slice(0, 16),
  },
  text: message.content,
})

/** The author of a question outside of any organization. */
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

/** The mention as a word: not within an address, a path or another word. */
const MENTION = /(?<![\p{L}\p{M}\p{N}_@/+-])@icog(?![\p{L}\p{M}\p{N}_@/-]|\.[\p{L}\p{N}])/giu

export const mentionsIcog = (content: string): boolean => content.search(MENTION) >= 0

const withoutMention = (content: string): string =>
  content.replace(MENTION, ' ').replace(/\s+/g, ' ').trim()
