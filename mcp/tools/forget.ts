import { Type } from '@sinclair/typebox'
import { deleteMemory } from '../../shared/contract/index.ts'
import { callAbout, memoryId, readMemoryId } from './memory-id.ts'
import { tool } from './tool.ts'

export const forgetTool = tool({
  name: 'forget',
  title: 'Forget a memory',
  description:
    'Deletes one memory. Call it only when the user asks to forget or delete something: recall it first, and delete nothing else. For 30 days, restore brings it back. If it only changed, call update.',
  input: Type.Object(memoryId),
  output: Type.Object({ memory_id: Type.String(), forgotten: Type.Boolean() }),
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  async call(client, input, { signal }) {
    const memory_id = readMemoryId(input.memory_id)
    const params = { memory_id }
    await callAbout(client, [memory_id], () => client.call(deleteMemory, { params, signal }))
    return { memory_id, forgotten: true }
  },
  text: ({ memory_id }) => `Forgot ${memory_id}. For 30 days, restore brings it back.`,
})
