import { Type } from '@sinclair/typebox'
import type { Client } from '../../shared/client.ts'
import { deleteMemory, getMemory } from '../../shared/contract/index.ts'
import { Memory } from '../../shared/contract/memories.ts'
import { expectResponse } from '../response.ts'
import { confirmationOf } from '../text/memory-page.ts'
import { callAbout, memoryId, readMemoryId } from './memory-id.ts'
import { type Person, Question } from './person.ts'
import { tool } from './tool.ts'

export const forgetTool = tool({
  name: 'forget',
  title: 'Forget a memory',
  description:
    'Deletes one memory. Call it only when the user asks to forget or delete something: recall it first, and delete nothing else. If it only changed, call update.',
  input: Type.Object(memoryId),
  output: Type.Object({ memory_id: Type.String(), forgotten: Type.Boolean() }),
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  async call(client, input, { signal, person }) {
    const memory_id = readMemoryId(input.memory_id)
    if (person.canAnswer) {
      const agreed = await agree(client, memory_id, person, signal)
      if (agreed instanceof Question) return agreed
      if (!agreed) return { memory_id, forgotten: false }
    }
    const params = { memory_id }
    await callAbout(client, [memory_id], () => client.call(deleteMemory, { params, signal }))
    return { memory_id, forgotten: true }
  },
  text: ({ memory_id, forgotten }) =>
    forgotten
      ? `Forgot ${memory_id}. For 30 days, restore brings it back.`
      : `The user declined: ${memory_id} is kept. Do not call forget for it again unless the user asks.`,
})

/**
 * Asks before the memory is deleted. An answer is valid for the memory as it was shown: after a change, or
 * when the memory was forgotten and restored, the same answer asks again.
 */
const agree = async (
  client: Client,
  memory_id: string,
  person: Person,
  signal: AbortSignal,
): Promise<Question | boolean> => {
  const params = { memory_id }
  const response = await callAbout(client, [memory_id], () =>
    client.call(getMemory, { params, signal }),
  )
  const memory = expectResponse(Memory, response)
  const answer = person.answer<string>()
  if (answer?.state === memory.updated_at) return answer.isAccepted
  const { content_text, truncated } = confirmationOf(memory)
  return new Question(
    `Forget this memory?${truncated ? ' It begins with:' : ''}\n\n“${content_text}”\n\nFor 30 days it can be restored.`,
    {},
    memory.updated_at,
  )
}
