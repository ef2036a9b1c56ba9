import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import { ApiFailure } from '../shared/client.ts'
import { isUuid } from '../shared/contract/common.ts'
import { getMemory, listMemories } from '../shared/contract/index.ts'
import type { Memory } from '../shared/contract/memories.ts'
import { MAX_PREFIX_LENGTH } from '../shared/contract/memory-lists.ts'
import { ACTIVITY_URI, MEMORY_URI, readActivity, TAG_URI, THREAD_URI } from './activity.ts'
import { ToolCallError, type ToolHost } from './host.ts'
import { tokenBudget } from './text/budget.ts'
import { fitMemories, listText } from './text/memory-page.ts'

const MIME_TYPE = 'text/plain'
const PAGE_SIZE = 50
const TITLE_CHARS = 80

const ACTIVITY: Resource = {
  uri: ACTIVITY_URI,
  name: 'activity',
  title: 'Activity',
  description:
    'The newest reads and writes of the memories, by whom. Subscribe to hear of new ones.',
  mimeType: MIME_TYPE,
}

/** The memories of a conversation or a document, or with a label. */
const GROUPS = {
  thread: {
    uri: THREAD_URI,
    title: 'Thread',
    description: 'The newest memories of a conversation or a document.',
  },
  tag: { uri: TAG_URI, title: 'Tag', description: 'The newest memories with a tag.' },
} as const

/** So many memories and tokens a group has at most. */
const GROUP_SIZE = 100
const GROUP_TOKENS = 16_000

/**
 * Serves memories as resources: a paged list, newest first, each memory by its id, and those of a thread or a
 * tag. The last page ends with the activity.
 */
export const serveResources = (server: McpServer, host: ToolHost): void => {
  server.registerResource(
    'memory',
    new ResourceTemplate(`${MEMORY_URI}{memory_id}`, { list: undefined }),
    { title: 'Memory', description: 'The text of a memory.', mimeType: MIME_TYPE },
    async (uri, { memory_id }) => {
      const memory = await read(host, uri.href, String(memory_id))
      return { contents: [{ uri: uri.href, mimeType: MIME_TYPE, text: memory.content_text }] }
    },
  )
  for (const [field, { uri: address, ...metadata }] of Object.entries(GROUPS))
    server.registerResource(
      field,
      new ResourceTemplate(`${address}{${field}}`, { list: undefined }),
      { ...metadata, mimeType: MIME_TYPE },
      async (uri, variables) => {
        const value = decode(String(variables[field]))
        const text = value && (await readGroup(host, { [field]: value }))
        if (!text) throw new ResourceNotFoundError(uri.href)
        return { contents: [{ uri: uri.href, mimeType: MIME_TYPE, text }] }
      },
    )

  const { uri, name, ...metadata } = ACTIVITY
  server.registerResource(name, uri, metadata, async () => {
    const text = await readActivity(host).catch(throwProtocolError)
    return { contents: [{ uri, mimeType: MIME_TYPE, text }] }
  })

  // The SDK's list callback of a template has no paging.
  server.server.setRequestHandler('resources/list', async ({ params }) => {
    // Clients list resources when they connect. A missing key is not an error here.
    if (!host.isSignedIn()) return { resources: [] }
    const cursor = params?.cursor
    // The server would refuse a long address before it reads the cursor.
    if (cursor !== undefined && !isUuid(cursor))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'cursor is not of a previous page')
    const page = await host
      .call((client) =>
        client.call(listMemories, { query: { limit: PAGE_SIZE, ...(cursor && { cursor }) } }),
      )
      .catch(throwProtocolError)
    return {
      resources: [...page.memories.map(toResource), ...(page.next_cursor ? [] : [ACTIVITY])],
      ...(page.next_cursor && { nextCursor: page.next_cursor }),
    }
  })
}

/** @returns undefined for a text that is not percent-encoded (RFC 3986). */
const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The memories as text, the newest first; undefined without one. */
const readGroup = async (
  host: ToolHost,
  filter: { thread?: string; tag?: string },
): Promise<string | undefined> => {
  // Longer than a label: the server would refuse it.
  if (Object.values(filter).some((value) => value.length > MAX_PREFIX_LENGTH)) return undefined
  const query = { ...filter, limit: GROUP_SIZE }
  const { memories } = await host
    .call((client) => client.call(listMemories, { query }))
    .catch(throwProtocolError)
  return memories.length
    ? listText(await fitMemories(memories, tokenBudget(GROUP_TOKENS)))
    : undefined
}

const read = async (host: ToolHost, uri: string, memory_id: string): Promise<Memory> => {
  // Prevents paths such as `export` from reaching other endpoints.
  if (!isUuid(memory_id)) throw new ResourceNotFoundError(uri)
  try {
    return await host.call((client) => client.call(getMemory, { params: { memory_id } }))
  } catch (error) {
    if (isNotFound(error)) throw new ResourceNotFoundError(uri)
    return throwProtocolError(error)
  }
}

const isNotFound = (error: unknown): boolean => {
  const cause = error instanceof ToolCallError ? error.cause : undefined
  return cause instanceof ApiFailure && cause.status === 404
}

const throwProtocolError = (error: unknown): never => {
  const isBadCursor = error instanceof ToolCallError && (error.cause as ApiFailure).status === 422
  throw new ProtocolError(
    isBadCursor ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    error instanceof Error ? error.message : String(error),
  )
}

const toResource = (memory: Memory): Resource => ({
  uri: `${MEMORY_URI}${memory.memory_id}`,
  name: memory.memory_id,
  title: truncate(memory.content_text),
  description: describe(memory),
  mimeType: MIME_TYPE,
  annotations: {
    audience: ['user', 'assistant'],
    priority: memory.importance,
    lastModified: memory.updated_at,
  },
})

const truncate = (text: string): string => {
  const line = [...text.replace(/\s+/g, ' ').trim()]
  return line.length > TITLE_CHARS ? `${line.slice(0, TITLE_CHARS - 1).join('')}…` : line.join('')
}

const describe = ({ memory_type, author, occurred_at, created_at }: Memory): string => {
  const day = (occurred_at ?? created_at).slice(0, 10)
  return [`${memory_type}, ${day}`, author && `by ${author}`].filter(Boolean).join(', ')
}
