import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import { ApiFailure } from '../../shared/client.ts'
import { getMemory, listMemories } from '../../shared/contract/index.ts'
import { isUuid } from '../../shared/schemas/common.ts'
import type { Memory } from '../../shared/schemas/memory.ts'
import { Advice, type Host } from '../host.ts'

const SCHEME = 'svc://memories/'
const MIME_TYPE = 'text/plain'
const PAGE = 50
const TITLE_CHARS = 80

/** Memories as resources: the newest first in pages, and each by its id. */
export const serveMemories = (server: McpServer, host: Host): void => {
  server.registerResource(
    'memory',
    new ResourceTemplate(`${SCHEME}{memory_id}`, { list: undefined }),
    { title: 'A memory', description: 'What one memory says.', mimeType: MIME_TYPE },
    async (uri, { memory_id }) => {
      const memory = await read(host, uri.href, String(memory_id))
      return { contents: [{ uri: uri.href, mimeType: MIME_TYPE, text: memory.content_text }] }
    },
  )

  // The SDK's own list of a template's resources has no pages.
  server.server.setRequestHandler('resources/list', async ({ params }) => {
    // Clients list when they connect: without a key there is nothing to list, and nothing wrong.
    if (!host.isSignedIn()) return { resources: [] }
    const cursor = params?.cursor
    const page = await host
      .call((client) =>
        client.call(listMemories, { query: { limit: PAGE, ...(cursor && { cursor }) } }),
      )
      .catch(rejected)
    return {
      resources: page.memories.map(resourceOf),
      ...(page.next_cursor && { nextCursor: page.next_cursor }),
    }
  })
}

const read = async (host: Host, uri: string, memory_id: string): Promise<Memory> => {
  // Other names have other places of the API behind them.
  if (!isUuid(memory_id)) throw new ResourceNotFoundError(uri)
  try {
    return await host.call((client) => client.call(getMemory, { params: { memory_id } }))
  } catch (error) {
    if (isUnknown(error)) throw new ResourceNotFoundError(uri)
    return rejected(error)
  }
}

/** No such memory. */
const isUnknown = (error: unknown): boolean => {
  const cause = error instanceof Advice ? error.cause : undefined
  return cause instanceof ApiFailure && cause.status === 404
}

const rejected = (error: unknown): never => {
  const isBadCursor = error instanceof Advice && (error.cause as ApiFailure).status === 422
  throw new ProtocolError(
    isBadCursor ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    error instanceof Error ? error.message : String(error),
  )
}

const resourceOf = (memory: Memory): Resource => ({
  uri: `${SCHEME}${memory.memory_id}`,
  name: memory.memory_id,
  title: shortened(memory.content_text),
  description: describe(memory),
  mimeType: MIME_TYPE,
  annotations: {
    audience: ['user', 'assistant'],
    priority: memory.importance,
    lastModified: memory.updated_at,
  },
})

const shortened = (text: string): string => {
  const line = [...text.replace(/\s+/g, ' ').trim()]
  return line.length > TITLE_CHARS ? `${line.slice(0, TITLE_CHARS - 1).join('')}…` : line.join('')
}

const describe = ({ memory_type, author, occurred_at, created_at }: Memory): string => {
  const day = (occurred_at ?? created_at).slice(0, 10)
  return [`${memory_type}, ${day}`, author && `by ${author}`].filter(Boolean).join(', ')
}
