import { type Static, Type } from '@sinclair/typebox'
import type { Client } from '../../shared/client.ts'
import { isUuid, OneOf, Uuid } from '../../shared/contract/common.ts'
import { MemoryMark } from '../../shared/contract/feedback.ts'
import { addFeedback, deleteMemory, removeFeedback } from '../../shared/contract/index.ts'
import { expectResponse } from '../response.ts'
import { invalidArgument } from './arguments.ts'
import { callAbout, memoryId, readMemoryId } from './memory-id.ts'
import { tool } from './tool.ts'

const input = Type.Object({
  ...memoryId,
  verdict: OneOf(['irrelevant', 'relevant', 'forget'], {
    description: 'relevant: takes the mark of feedback_id back.',
  }),
  question: Type.Optional(Type.String({ description: 'For irrelevant.' })),
  feedback_id: Type.Optional(Uuid({ description: 'For relevant.' })),
})

/**
 * The buttons of a memory on the page of a recall. The person who presses one has confirmed it, and the page
 * undoes it.
 */
export const reviewTool = tool({
  name: 'review',
  title: 'Review a memory',
  description: 'Call it when the user presses a button of the page that shows a recall.',
  input,
  output: Type.Object({
    memory_id: Type.String(),
    verdict: Type.String(),
    feedback_id: Type.Optional(Type.String()),
  }),
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  app: { visibility: ['app'] },
  async call(client, body, { signal }) {
    const memory_id = readMemoryId(body.memory_id)
    const feedback_id = await callAbout(client, [memory_id], () =>
      apply(client, { ...body, memory_id }, signal),
    )
    return { memory_id, verdict: body.verdict, ...(feedback_id && { feedback_id }) }
  },
  text: ({ memory_id, verdict }) => `${memory_id}: ${verdict}`,
})

/** @returns the id of the mark for `irrelevant`. @throws ToolCallError */
const apply = async (
  client: Client,
  { memory_id, verdict, question, feedback_id }: Static<typeof input>,
  signal: AbortSignal,
): Promise<string | undefined> => {
  const params = { memory_id }
  if (verdict === 'forget') {
    await client.call(deleteMemory, { params, signal })
    return undefined
  }
  if (verdict === 'relevant') {
    // The id is part of a path, in which any value would become a text.
    if (!isUuid(String(feedback_id))) throw invalidArgument('feedback_id', 'must be a UUID')
    await client.call(removeFeedback, {
      params: { ...params, feedback_id: String(feedback_id) },
      signal,
    })
    return undefined
  }
  if (verdict !== 'irrelevant')
    throw invalidArgument('verdict', 'must be irrelevant, relevant or forget')
  const body = { question: question ?? '' }
  return expectResponse(MemoryMark, await client.call(addFeedback, { params, body, signal }))
    .feedback_id
}
