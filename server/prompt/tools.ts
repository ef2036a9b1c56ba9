import { Type } from '@sinclair/typebox'
import { TOOLS, type ToolName } from '../../shared/contract/chat.ts'
import type { RecalledMemory } from '../../shared/contract/recall.ts'
import type { UrlPage } from '../../shared/contract/url.ts'
import { inTimeOrder, momentsOf } from '../memory/recall/moments.ts'
import type { ModelTool } from '../platform/models/types.ts'
import { truncateToTokens } from './assemble.ts'
import { type DataMarks, formatData, memoryItem } from './quoted-data.ts'

export interface ToolHandlers {
  recall(query: string): Promise<RecalledMemory[]>
  remember(content: string): Promise<void>
  fetchPage(url: string): Promise<UrlPage>
  /** The URLs that may be fetched: those that the user wrote. */
  urls: ReadonlySet<string>
  /** The user's time zone. */
  timezone: string
}

/** The maximum output of one tool call, as a share of the context window. */
const OUTPUT_SHARE = 0.15

/** The tools with these names; unknown names are ignored. Their output is marked as quoted data. */
export const createTools = (
  names: string[],
  handlers: ToolHandlers,
  marks: DataMarks,
  contextTokens: number,
): ModelTool[] => {
  const maxTokens = Math.floor(contextTokens * OUTPUT_SHARE)
  const tools: Record<ToolName, ModelTool> = {
    recall: recallTool(handlers, marks, maxTokens),
    remember: rememberTool(handlers),
    fetch_url: fetchUrlTool(handlers, marks, maxTokens),
  }
  return TOOLS.filter((name) => names.includes(name)).map((name) => tools[name])
}

const recallTool = (
  { recall, timezone }: ToolHandlers,
  marks: DataMarks,
  maxTokens: number,
): ModelTool =>
  defineTool({
    name: 'recall',
    description: 'Finds memories of the user by a question or keywords.',
    input: Type.Object({ query: Type.String({ minLength: 1, maxLength: 4_000 }) }),
    async run({ query }) {
      const memories = await recall(query)
      if (memories.length === 0) return 'Nothing was found.'
      const itemTokens = Math.floor(maxTokens / memories.length)
      const momentOf = momentsOf(memories, timezone)
      const items = inTimeOrder(memories, (memory) => memory, timezone).map((memory) => {
        const item = memoryItem(memory, momentOf(memory))
        return { ...item, text: truncateToTokens(item.text, itemTokens) }
      })
      return formatData(items, marks)
    },
  })

const rememberTool = ({ remember }: ToolHandlers): ModelTool =>
  defineTool({
    name: 'remember',
    description: 'Stores a memory for the user, in plain words that make sense without context.',
    input: Type.Object({
      content: Type.String({ minLength: 1, maxLength: 8_000, pattern: '\\S' }),
    }),
    async run({ content }) {
      await remember(content)
      return 'It is remembered.'
    },
  })

const fetchUrlTool = (
  { fetchPage, urls }: ToolHandlers,
  marks: DataMarks,
  maxTokens: number,
): ModelTool =>
  defineTool({
    name: 'fetch_url',
    description: 'Reads a web page whose URL the user wrote. The URL must be exactly the same.',
    input: Type.Object({ url: Type.String({ minLength: 1, maxLength: 2_048 }) }),
    async run({ url }) {
      // A URL made up by the model could send data of the prompt to a third party.
      if (!urls.has(url)) throw new Error('Only URLs that the user wrote can be read.')
      const page = await fetchPage(url)
      const text = truncateToTokens(page.text, maxTokens)
      const attributes = { url: page.url, title: page.title }
      return formatData([{ kind: 'page', attributes, text }], marks)
    },
  })

/** Infers the type of `run`'s input from the schema. */
const defineTool = <T extends ReturnType<typeof Type.Object>>(tool: ModelTool<T>): ModelTool =>
  tool as unknown as ModelTool
