import { type Static, Type } from '@sinclair/typebox'
import { getMemory } from '../../shared/contract/index.ts'
import { Memory } from '../../shared/contract/memories.ts'
import { expectResponse } from '../response.ts'
import { indent } from '../text/memory-page.ts'
import { headerOf, MemoryView, viewOf } from '../text/memory-view.ts'
import { callAbout, memoryId, readMemoryId } from './memory-id.ts'
import { tool } from './tool.ts'

const WholeMemory = Type.Object({
  ...MemoryView.properties,
  importance: Type.Number(),
  position: Type.Optional(Type.Integer()),
  source: Type.Object({ kind: Type.String(), ref: Type.Optional(Type.String()) }),
  metadata: Type.Object({}),
})
type WholeMemory = Static<typeof WholeMemory>

export const getTool = tool({
  name: 'get',
  title: 'Get a memory',
  description:
    'Returns one whole memory with its source and metadata. Call it when recall or list shows only an excerpt.',
  input: Type.Object(memoryId),
  output: WholeMemory,
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  async call(client, input, { signal }) {
    const memory_id = readMemoryId(input.memory_id)
    const params = { memory_id }
    const response = await callAbout(client, [memory_id], () =>
      client.call(getMemory, { params, signal }),
    )
    const memory = expectResponse(Memory, response)
    const { importance, position, source, metadata } = memory
    return {
      ...viewOf(memory, { text: memory.content_text, isTruncated: false }),
      importance,
      ...(position !== null && { position }),
      source: { kind: source.kind, ...(source.ref !== null && { ref: source.ref }) },
      metadata,
    }
  },
  text: (memory) => [headerOf(memory), detailsOf(memory), indent(memory.content_text)].join('\n'),
})

const detailsOf = ({ importance, position, source, metadata }: WholeMemory): string =>
  [
    `Importance ${importance}`,
    position !== undefined && `position ${position}`,
    `source ${source.kind}${source.ref === undefined ? '' : ` ${source.ref}`}`,
    Object.keys(metadata).length > 0 && `metadata ${JSON.stringify(metadata)}`,
  ]
    .filter(Boolean)
    .join('; ')
