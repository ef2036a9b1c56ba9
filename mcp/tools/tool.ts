import type {
  CallToolResult,
  McpServer,
  ServerContext,
  ToolAnnotations,
} from '@modelcontextprotocol/server'
import type { Static, TObject } from '@sinclair/typebox'
import type { Client } from '../../shared/client.ts'
import type { Input } from '../../shared/schemas/common.ts'
import { type CallSettings, type Host, UnknownAnswer } from '../host.ts'
import { inputSchema, outputSchema } from '../schema.ts'

/** Tells whoever called how far a call has come: `amount` grows. */
export type Report = (amount: number, message: string) => Promise<void>

export interface Surroundings {
  /** Aborted when the call is cancelled. */
  signal: AbortSignal
  report: Report
}

interface ToolOptions<B extends TObject, R extends TObject> {
  name: string
  title: string
  /** For the model: what the tool does and when it helps. */
  description: string
  input: B
  output: R
  /** Each one is said, as a client takes the worst of what is left out. */
  annotations: Required<Omit<ToolAnnotations, 'title'>>
  settings?: CallSettings
  /** The one call of the service that does the work. */
  call(client: Client, body: Input<B>, surroundings: Surroundings): Promise<Static<R>>
  /** The answer as text, for clients and models that do not read structured content. */
  text(answer: Static<R>): string
}

/** Adds a tool to a server. */
export type Tool = (server: McpServer, host: Host) => void

export const tool = <B extends TObject, R extends TObject>(options: ToolOptions<B, R>): Tool => {
  const { name, title, description, call, text, settings } = options
  const output = outputSchema<Static<R>>(options.output)
  const published = {
    title,
    description,
    inputSchema: inputSchema<Input<B>>(options.input),
    outputSchema: output.published,
    annotations: { title, ...options.annotations },
  }

  return (server, host) => {
    server.registerTool(name, published, async (body, context): Promise<CallToolResult> => {
      try {
        const surroundings = { signal: context.mcpReq.signal, report: reporting(context) }
        const answer = await host.call(async (client) => {
          const answered = await call(client, body, surroundings)
          if (!output.fits(answered))
            throw new UnknownAnswer(`${name} was answered in an unknown form`)
          return answered
        }, settings)
        return {
          content: [{ type: 'text', text: text(answer) }],
          structuredContent: answer as Record<string, unknown>,
        }
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error)
        return { isError: true, content: [{ type: 'text', text: said }] }
      }
    })
  }
}

/** Progress goes only to whoever asked for it, with the token they gave. */
const reporting =
  ({ mcpReq }: ServerContext): Report =>
  async (progress, message) => {
    const progressToken = mcpReq._meta?.progressToken
    if (progressToken === undefined) return
    await mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress, message },
    })
  }
