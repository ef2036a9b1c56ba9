import { Type } from '@sinclair/typebox'
import { getMemory } from '../../shared/contract/index.ts'
import { Uuid } from '../../shared/schemas/common.ts'
import { Memory } from '../../shared/schemas/memories.ts'
import { expectResponse } from '../response.ts'
import { memoryText } from '../text/memory-page.ts'
import { MemoryView, viewOf } from '../text/memory-view.ts'
import { tool } from './tool.ts'

export const memoryId = { memory_id: Uuid({ description: 'From recall or list.' }) }

export const getTool = tool({
  name: 'get',
  title: 'Get a memory',
  description: 'Returns one whole memory. Call it when recall or list shows only an excerpt.',
  input: Type.Object(memoryId),
  output: MemoryView,
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  async call(client, params, { signal }) {
    const memory = expectResponse(Memory, await client.call(getMemory, { params, signal }))
    return viewOf(memory, { text: memory.content_text, isTruncated: false })
  },
  text: memoryText,
})
