import { Type } from '@sinclair/typebox'
import { restoreMemory } from '../../shared/contract/index.ts'
import { Memory } from '../../shared/contract/memories.ts'
import { expectResponse } from '../response.ts'
import { headerOf } from '../text/memory-view.ts'
import { callAbout, memoryId, readMemoryId } from './memory-id.ts'
import { tool } from './tool.ts'
import { Written, writtenTo, writtenView } from './written.ts'

export const restoreTool = tool({
  name: 'restore',
  title: 'Restore a memory',
  description:
    'Brings a forgotten memory back, within 30 days, or makes a superseded one current again. Call it when the user wants to undo that; list with deleted shows what was forgotten.',
  input: Type.Object(memoryId),
  output: Written,
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  async call(client, input, { signal }) {
    const memory_id = readMemoryId(input.memory_id)
    const params = { memory_id }
    const response = await callAbout(client, [memory_id], () =>
      client.call(restoreMemory, { params, signal }),
    )
    return writtenView(client, expectResponse(Memory, response), signal)
  },
  text: (memory) => `Restored${writtenTo(memory)} ${headerOf(memory)}.`,
})
