import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server'
import type { Static, TObject } from '@sinclair/typebox'
import type { Client } from '../../shared/client.ts'
import type { Input } from '../../shared/schemas/common.ts'
import { type Connection, openClient, UnknownAnswer } from '../connection.ts'
import { advise } from '../errors.ts'
import { inputSchema, outputSchema } from '../schema.ts'

interface ToolOptions<B extends TObject, R extends TObject> {
  name: string
  title: string
  /** For the model: what the tool does and when it helps. */
  description: string
  input: B
  output: R
  /** Each one is said, as a client takes the worst of what is left out. */
  annotations: Required<Omit<ToolAnnotations, 'title'>>
  /** The one call of the service that does the work. */
  call(client: Client, body: Input<B>, signal: AbortSignal): Promise<Static<R>>
  /** The answer as text, for clients and models that do not read structured content. */
  text(answer: Static<R>): string
}

/** Adds a tool to a server. `connect` is asked for each call. */
export type Tool = (server: McpServer, connect: () => Connection) => void

export const tool =
  <B extends TObject, R extends TObject>(options: ToolOptions<B, R>): Tool =>
  (server, connect) => {
    const { name, title, description, call, text } = options
    const output = outputSchema<Static<R>>(options.output)

    const run = async (body: Input<B>, connection: Connection, signal: AbortSignal) => {
      const answer = await call(openClient(connection), body, signal)
      const checked = await output['~standard'].validate(answer)
      if (checked.issues) throw new UnknownAnswer(`${name} was answered in an unknown form`)
      return {
        content: [{ type: 'text', text: text(answer) }],
        structuredContent: answer as Record<string, unknown>,
      } satisfies CallToolResult
    }

    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: inputSchema<Input<B>>(options.input),
        outputSchema: output,
        annotations: { title, ...options.annotations },
      },
      async (body, { mcpReq }) => {
        let connection: Connection | undefined
        try {
          connection = connect()
          return await run(body, connection, mcpReq.signal)
        } catch (error) {
          return { isError: true, content: [{ type: 'text', text: advise(error, connection) }] }
        }
      },
    )
  }
