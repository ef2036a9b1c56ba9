import {
  addFeedback,
  listFeedback,
  MAX_QUESTION_LENGTH,
  type MemoryMark,
  type MemoryMarks,
  removeFeedback,
} from '../../../shared/contract/feedback.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { defineErrors } from '../../platform/http/error.ts'
import type { Mount } from '../../platform/http/route.ts'
import { memoryError } from '../memories/errors.ts'
import type { Redaction } from '../memories/redaction.ts'
import type { MemoryService } from '../memories/service.ts'
import { analyze } from '../text/analyzer.ts'
import { detectLanguages } from '../text/language.ts'
import { addMark, eraseMarks, listMarks, type Mark, removeMark } from './store.ts'

const feedbackError = defineErrors({
  feedback_not_found: { status: 404, detail: 'No such mark of this memory' },
})

export type FeedbackService = ReturnType<typeof createFeedbackService>

/** Where people say which memories a question should not have found. */
export const createFeedbackService = (
  { query, queryIn, transaction }: Pick<Database, 'query' | 'queryIn' | 'transaction'>,
  memories: Pick<MemoryService, 'get'>,
  redaction: Pick<Redaction, 'text'>,
) => ({
  /** @throws ApiError 404 for a memory that does not exist or is not the caller's. */
  async list(caller: Caller, memoryId: string): Promise<MemoryMarks> {
    await memories.get(caller, memoryId)
    const marks = await listMarks(query, caller.ownerId, [memoryId])
    return { feedback: marks.map((mark) => present(caller, mark)) }
  },

  /** @throws ApiError 404 as above. */
  async add(caller: Caller, memoryId: string, asked: string): Promise<MemoryMark> {
    const { memory_id } = await memories.get(caller, memoryId)
    const question = (await redaction.text(asked)).slice(0, MAX_QUESTION_LENGTH).toWellFormed()
    const language = detectLanguages(question)[0] ?? 'simple'
    const added = {
      ownerId: caller.ownerId,
      userId: caller.userId,
      memoryId: memory_id,
      // The same mark has the same id.
      feedbackId: Bun.randomUUIDv5(`${caller.userId} ${question}`, memory_id),
      question,
      language,
      terms: [...(await analyze(question, language)).keys()].sort(),
    }
    const mark = await transaction((within) => addMark(within, added))
    if (!mark) throw memoryError('memory_not_found')
    return present(caller, mark)
  },

  /** @throws ApiError 404 as above, or without such a mark. */
  async remove(caller: Caller, memoryId: string, feedbackId: string): Promise<void> {
    await memories.get(caller, memoryId)
    if (!(await removeMark(query, { ownerId: caller.ownerId, memoryId, feedbackId })))
      throw feedbackError('feedback_not_found')
  },

  /** The marks of memories for exactly this question, by the ids of the memories. */
  async marksFor(
    caller: Caller,
    memoryIds: string[],
    question: string,
  ): Promise<Map<string, string>> {
    const marks = await listMarks(query, caller.ownerId, memoryIds)
    const asked = marks.filter((mark) => mark.question === question)
    return new Map(asked.map(({ memoryId, feedbackId }) => [memoryId, feedbackId]))
  },

  /** Erases the marks that a user made, within the transaction that deletes the user. */
  erase: (tx: Db, userId: string): Promise<void> => eraseMarks(queryIn(tx), userId),
})

const present = (caller: Caller, mark: Mark): MemoryMark => ({
  feedback_id: mark.feedbackId,
  memory_id: mark.memoryId,
  // Members of an organization share its memories, not their questions.
  question: mark.userId === caller.userId ? mark.question : null,
  created_at: mark.createdAt.toISOString(),
})

export const feedbackRoutes = (mount: Mount, feedback: FeedbackService): void => {
  mount(listFeedback, ({ caller, params }) => feedback.list(caller, params.memory_id))
  mount(addFeedback, ({ caller, params, body }) =>
    feedback.add(caller, params.memory_id, body.question),
  )
  mount(removeFeedback, async ({ caller, params }) => {
    await feedback.remove(caller, params.memory_id, params.feedback_id)
    return undefined
  })
}
