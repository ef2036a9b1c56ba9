import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { completeMemoryField } from '../shared/contract/index.ts'
import { type CompletedField, MAX_PREFIX_LENGTH } from '../shared/contract/memory-lists.ts'
import { MEMORY_URI, TAG_URI, THREAD_URI } from './activity.ts'
import { ToolCallError, type ToolHost } from './host.ts'

/** The most values of a response (MCP, completion). */
const MAX_VALUES = 100

/** The fields of memories whose values complete an argument, by the prompt or the resource template. */
const SOURCES: Readonly<Record<string, Record<string, readonly CompletedField[]>>> = {
  remember_conversation: { focus: ['tag'] },
  weekly_review: { about: ['author', 'tag'] },
  answer_from_memory: {},
  [`${MEMORY_URI}{memory_id}`]: { memory_id: ['memory_id'] },
  [`${THREAD_URI}{thread}`]: { thread: ['thread'] },
  [`${TAG_URI}{tag}`]: { tag: ['tag'] },
}

/**
 * Completes arguments of prompts and of resource templates by the memories of the caller.
 * @param prompts the names of those that the server offers.
 */
export const serveCompletion = (
  server: McpServer,
  host: ToolHost,
  prompts: readonly string[],
): void => {
  server.server.setRequestHandler('completion/complete', async ({ params }) => {
    const { ref, argument } = params
    const name = ref.type === 'ref/prompt' ? ref.name : ref.uri
    const isOffered = ref.type !== 'ref/prompt' || prompts.includes(name)
    const source = isOffered && Object.hasOwn(SOURCES, name) ? SOURCES[name] : undefined
    if (!source)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The reference is not known')
    const fields = Object.hasOwn(source, argument.name) ? (source[argument.name] ?? []) : []
    return { completion: await complete(host, fields, argument.value) }
  })
}

const complete = async (host: ToolHost, fields: readonly CompletedField[], prefix: string) => {
  // No value is so long. Without a key there are no memories.
  if ([...prefix].length > MAX_PREFIX_LENGTH || !host.isSignedIn() || prefix.includes('\0'))
    return { values: [], hasMore: false }
  const found = await Promise.all(
    fields.map((field) =>
      host
        .call((client) =>
          client.call(completeMemoryField, { query: { field, prefix, limit: MAX_VALUES } }),
        )
        .catch(throwProtocolError),
    ),
  )
  const values = [...new Set(found.flatMap((each) => each.values))]
  return {
    values: values.slice(0, MAX_VALUES),
    hasMore: values.length > MAX_VALUES || found.some(({ has_more }) => has_more),
  }
}

const throwProtocolError = (error: unknown): never => {
  if (!(error instanceof ToolCallError)) throw error
  throw new ProtocolError(ProtocolErrorCode.InternalError, error.message)
}
