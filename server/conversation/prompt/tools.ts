import { Type } from '@sinclair/typebox'
import { TOOLS, type ToolName } from '../../../shared/schemas/chat.ts'
import type { RecalledMemory } from '../../../shared/schemas/memory.ts'
import type { UrlPage } from '../../../shared/schemas/url.ts'
import type { ModelTool } from '../../platform/models/types.ts'
import { memoryItem } from './assemble.ts'
import { type DataMarks, dataPart } from './data.ts'
import { cutTo } from './fit.ts'

/** What the tools of one answer do. */
export interface Hands {
  recall(query: string): Promise<RecalledMemory[]>
  remember(content: string): Promise<void>
  fetch(url: string): Promise<UrlPage>
  /** The addresses that may be fetched. */
  urls: ReadonlySet<string>
  /** Where the person is. */
  timezone: string
}

/** What one tool may add to a prompt, as a share of the window. */
const OUTPUT_SHARE = 0.15

/** The tools of these names; others are no tools of ours. What they find is data, and marked so. */
export const toolsFor = (
  names: string[],
  hands: Hands,
  marks: DataMarks,
  contextTokens: number,
): ModelTool[] => {
  const maxTokens = Math.floor(contextTokens * OUTPUT_SHARE)
  const made: Record<ToolName, ModelTool> = {
    recall: tool({
      name: 'recall',
      description: 'Finds memories of the person by a question or some words.',
      input: Type.Object({ query: Type.String({ minLength: 1, maxLength: 4_000 }) }),
      async run({ query }) {
        const memories = await hands.recall(query)
        if (memories.length === 0) return 'Nothing was found.'
        const items = memories.map((memory) => memoryItem(memory, hands.timezone))
        const each = Math.floor(maxTokens / items.length)
        return dataPart(
          items.map((item) => ({ ...item, text: cutTo(item.text, each) })),
          marks,
        )
      },
    }),
    remember: tool({
      name: 'remember',
      description: 'Remembers something for the person, in plain words that stand by themselves.',
      input: Type.Object({
        content: Type.String({ minLength: 1, maxLength: 8_000, pattern: '\\S' }),
      }),
      async run({ content }) {
        await hands.remember(content)
        return 'It is remembered.'
      },
    }),
    fetch_url: tool({
      name: 'fetch_url',
      description: 'Reads a web page whose address the person gave, exactly as it was given.',
      input: Type.Object({ url: Type.String({ minLength: 1, maxLength: 2_048 }) }),
      async run({ url }) {
        // An address made up by the model could carry away what it was shown.
        if (!hands.urls.has(url))
          throw new Error('Only addresses that the person gave can be read.')
        const page = await hands.fetch(url)
        const text = cutTo(page.text, maxTokens)
        return dataPart(
          [{ kind: 'page', about: { url: page.url, title: page.title }, text }],
          marks,
        )
      },
    }),
  }
  return TOOLS.filter((name) => names.includes(name)).map((name) => made[name])
}

/** Lets a tool be written with the type of its own input. */
const tool = <T extends ReturnType<typeof Type.Object>>(made: ModelTool<T>): ModelTool =>
  made as unknown as ModelTool
