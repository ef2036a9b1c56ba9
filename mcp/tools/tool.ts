import {
  type CallToolResult,
  type InputRequiredResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type ToolAnnotations,
  type Tool as ToolDefinition,
} from '@modelcontextprotocol/server'
import { type Static, type TObject, Type } from '@sinclair/typebox'
import type { Client } from '../../shared/client.ts'
import type { Input } from '../../shared/contract/common.ts'
import { type AppMeta, capabilitiesOf, showsForms, supportsApps } from '../client-capabilities.ts'
import type { CallOptions, ToolHost } from '../host.ts'
import { iconsOf } from '../icons.ts'
import { publishedSchema, toJsonSchema } from '../schema.ts'
import { readArguments } from './arguments.ts'
import {
  type AskClient,
  asInputRequired,
  ask,
  type Person,
  personOf,
  Question,
  type StateCodec,
} from './person.ts'
import { type ReportProgress, startProgress } from './progress.ts'

/** The server of a connection, and whether its tools write. */
export interface Connection {
  /** The address of svc. */
  url: string
  /** Whether no offered tool writes. */
  isReadOnly: boolean
  /** The project that the client works in. */
  project: string | undefined
}

interface ToolDeps {
  /** Aborted when the call is cancelled. */
  signal: AbortSignal
  report: ReportProgress
  connection: Connection
  person: Person
}

interface ToolOptions<B extends TObject, R extends TObject> {
  name: string
  title: string
  /** For the model: the purpose of the tool, and when to call it. Many clients show nothing else. */
  description: string
  /** The published arguments. */
  input: B
  /** The fields of the endpoint, if it has more than are published. */
  accepted?: TObject
  output: R
  /** All are required, because clients assume the worst for missing hints. */
  annotations: Required<Omit<ToolAnnotations, 'title'>>
  /** The page that shows the result, for clients with MCP Apps. */
  app?: AppMeta
  callOptions?: CallOptions
  /** Calls the API. The arguments are those that `readArguments` returns. */
  call(client: Client, body: Input<B>, deps: ToolDeps): Promise<Static<R> | Question>
  /** The same result as one or more texts, because many clients show the model only these. */
  text(result: Static<R>, input: Input<B>): string | string[]
}

/** The options that the tools of a server share. */
export interface ServerToolOptions {
  isReadOnly: boolean
  /** Seals what a question needs for its answer. */
  codec: StateCodec
  /** Whether a client of an older revision announced MCP Apps when it connected over HTTP. */
  hasApps: boolean
  /** For such a client that shows forms. Others get a question as a result. */
  askClient: AskClient | undefined
}

/** A tool of the server. */
export type Tool = ReturnType<typeof tool>

export const tool = <B extends TObject, R extends TObject>(options: ToolOptions<B, R>) => {
  const { name, title, description, annotations, app, text } = options
  /** Whether only pages of MCP Apps call it: no model sees it. */
  const isForApps = app?.visibility?.includes('model') === false
  const definition = {
    name,
    title,
    description,
    inputSchema: toJsonSchema(options.input) as ToolDefinition['inputSchema'],
    annotations,
    outputSchema: toJsonSchema(options.output) as NonNullable<ToolDefinition['outputSchema']>,
  }
  const published = {
    title,
    description,
    annotations,
    inputSchema: publishedSchema<Input<B>>(options.input),
    outputSchema: publishedSchema<Static<R>>(options.output),
  }
  return {
    name,
    isReadOnly: annotations.readOnlyHint === true,
    isForApps,

    /** The tool as clients list it. @param iconsAt where the server serves icons. */
    define: ({
      hasApps,
      iconsAt,
    }: {
      hasApps: boolean
      iconsAt: string | undefined
    }): ToolDefinition => ({
      ...definition,
      icons: iconsOf(name, iconsAt),
      ...(app && hasApps && { _meta: metaOf(app) }),
    }),

    /** Adds the tool to a server. */
    register(server: McpServer, host: ToolHost, serverOptions: ServerToolOptions): void {
      server.registerTool(name, published, async (body, context) => {
        const capabilities = capabilitiesOf(context, server)
        if (isForApps && !supportsApps(capabilities) && !serverOptions.hasApps)
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${name} not found`)
        const canAnswer = showsForms(capabilities) || serverOptions.askClient !== undefined
        const person = personOf({ tool: name, input: body, context }, canAnswer)
        const run = { host, context, person, serverOptions }
        return runTool({ ...options, text }, body, run).catch((error: unknown): CallToolResult => {
          const message = error instanceof Error ? error.message : String(error)
          return { isError: true, content: [{ type: 'text', text: message }] }
        })
      })
    },
  }
}

/** Hosts of the first versions of the extension read the field without nesting. */
const metaOf = (app: AppMeta) => ({
  ui: app,
  ...(app.resourceUri && { 'ui/resourceUri': app.resourceUri }),
})

interface Run {
  host: ToolHost
  context: ServerContext
  person: Person
  serverOptions: ServerToolOptions
}

const runTool = async <B extends TObject, R extends TObject>(
  options: ToolOptions<B, R>,
  input: Input<B>,
  run: Run,
): Promise<CallToolResult | InputRequiredResult> => {
  const { name, call, text, callOptions, accepted } = options
  const properties = { ...options.input.properties, ...accepted?.properties }
  const body = readArguments(Type.Object(properties), input)
  const { host, context, person, serverOptions } = run
  const { signal } = context.mcpReq
  const result = await host.call((client) => {
    const connection = {
      url: host.serverUrl(),
      isReadOnly: serverOptions.isReadOnly,
      project: host.project,
    }
    const deps = { signal, report: progressReporter(context), connection, person }
    return call(client, body, deps)
  }, callOptions)
  if (result instanceof Question) {
    const { askClient, codec } = serverOptions
    if (!askClient) return asInputRequired(result, { tool: name, input, context }, codec)
    // A report resets the timeout of the call, which is shorter than a person may take.
    using _ = startProgress(progressReporter(context), 'the user')
    const answered = await ask(result, context, askClient)
    signal.throwIfAborted()
    return runTool(options, input, { ...run, person: answered })
  }
  return {
    content: [text(result, body)].flat().map((each) => ({ type: 'text' as const, text: each })),
    structuredContent: result as Record<string, unknown>,
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
