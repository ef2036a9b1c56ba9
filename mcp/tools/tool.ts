import type {
  CallToolResult,
  McpServer,
  ServerContext,
  ToolAnnotations,
} from '@modelcontextprotocol/server'
import type { Static, TObject } from '@sinclair/typebox'
import type { Client } from '../../shared/client.ts'
import type { Input } from '../../shared/contract/common.ts'
import type { CallOptions, ToolHost } from '../host.ts'
import { publishedSchema } from '../schema.ts'
import { withoutNulls } from './arguments.ts'

/** Sends a progress notification. `amount` must increase. */
export type ReportProgress = (amount: number, message: string) => Promise<void>

/** The server of a connection, and whether its tools write. */
export interface Connection {
  /** The address of svc. */
  url: string
  /** Whether no offered tool writes. */
  isReadOnly: boolean
}

interface ToolDeps {
  /** Aborted when the call is cancelled. */
  signal: AbortSignal
  report: ReportProgress
  connection: Connection
}

interface ToolOptions<B extends TObject, R extends TObject> {
  name: string
  title: string
  /** For the model: the purpose of the tool, and when to call it. Many clients show nothing else. */
  description: string
  /** The published arguments. The body of a call may have further fields of the endpoint. */
  input: B
  output: R
  /** All are required, because clients assume the worst for missing hints. */
  annotations: Required<Omit<ToolAnnotations, 'title'>>
  callOptions?: CallOptions
  /** Calls the API. Arguments with the value null are left out. */
  call(client: Client, body: Input<B>, deps: ToolDeps): Promise<Static<R>>
  /** The same result as one or more texts, because many clients show the model only these. */
  text(result: Static<R>, input: Input<B>): string | string[]
}

/** A tool of the server. */
export interface Tool {
  name: string
  isReadOnly: boolean
  /** Adds the tool to a server. */
  register(server: McpServer, host: ToolHost, options: { isReadOnly: boolean }): void
}

export const tool = <B extends TObject, R extends TObject>(options: ToolOptions<B, R>): Tool => {
  const { name, title, description, annotations, call, text } = options
  const published = {
    title,
    description,
    inputSchema: publishedSchema<Input<B>>(options.input),
    outputSchema: publishedSchema<Static<R>>(options.output),
    annotations,
  }
  const run = async (
    host: ToolHost,
    input: Input<B>,
    context: ServerContext,
    { isReadOnly }: { isReadOnly: boolean },
  ) => {
    const { signal } = context.mcpReq
    const result = await host.call((client) => {
      const connection = { url: host.serverUrl(), isReadOnly }
      const deps = { signal, report: progressReporter(context), connection }
      return call(client, withoutNulls(input), deps)
    }, options.callOptions)
    return {
      content: [text(result, input)].flat().map((each) => ({ type: 'text' as const, text: each })),
      structuredContent: result as Record<string, unknown>,
    }
  }
  return {
    name,
    isReadOnly: annotations.readOnlyHint === true,
    register(server, host, settings) {
      server.registerTool(name, published, async (body, context): Promise<CallToolResult> => {
        try {
          return await run(host, body, context, settings)
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error)
          return { isError: true, content: [{ type: 'text', text: message }] }
        }
      })
    },
  }
}

/** Progress is sent only to clients that passed a progress token. */
const progressReporter =
  ({ mcpReq }: ServerContext): ReportProgress =>
  async (progress, message) => {
    const progressToken = mcpReq._meta?.progressToken
    if (progressToken === undefined) return
    await mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress, message },
    })
  }
