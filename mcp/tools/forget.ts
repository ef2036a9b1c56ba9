import { Type } from '@sinclair/typebox'
import { deleteMemory } from '../../shared/contract/index.ts'
import { memoryId } from './get.ts'
import { tool } from './tool.ts'

export const forgetTool = tool({
  name: 'forget',
  title: 'Forget a memory',
  description:
    'Deletes one memory. Call it only when the user asks to forget or delete something: recall it first, and delete nothing else. The user can restore it for 30 days. If it only changed, call update.',
  input: Type.Object(memoryId),
  output: Type.Object({ memory_id: Type.String(), forgotten: Type.Boolean() }),
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  async call(client, params, { signal }) {
    await client.call(deleteMemory, { params, signal })
    return { memory_id: params.memory_id, forgotten: true }
  },
  text: ({ memory_id }) => `Forgot ${memory_id}. The user can restore it for 30 days.`,
})
