import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'

/** One request to the provider. */
export interface UpstreamCall {
  method: string
  /** With the query. */
  path: string
  headers: IncomingHttpHeaders
  /** The body as it was sent. */
  text: string
  // Tests read bodies of three protocols; assertions check them, not types.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any
  /** Resolves when the connection closes before the response ends. */
  disconnected: Promise<void>
}

export type Reply = (response: ServerResponse, call: UpstreamCall) => void | Promise<void>

/** A provider of models that speaks the protocols of OpenAI and Anthropic, and records its calls. */
export interface ModelUpstream extends AsyncDisposable {
  /** Without `/v1`. */
  url: string
  calls: UpstreamCall[]
  /** How the next calls are answered, in this order; others get a short text. */
  next(...replies: Reply[]): void
  reset(): void
}

/** `isAside` matches requests that the test did not cause: they get an empty object and are not recorded. */
export const startUpstream = async (
  isAside: (body: UpstreamCall['body']) => boolean = () => false,
): Promise<ModelUpstream> => {
  const calls: UpstreamCall[] = []
  const planned: Reply[] = []
  const server = createServer(async (request, response) => {
    const disconnected = Promise.withResolvers<void>()
    response.on('close', () => {
      if (!response.writableFinished) disconnected.resolve()
    })
    const { url: path = '', headers, method = '' } = request
    const text = await readText(request)
    const body = parse(text)
    const call = { method, path, headers, text, body, disconnected: disconnected.promise }
    if (body && isAside(body)) return says('{}')(response, call)
    calls.push(call)
    await (planned.shift() ?? says('Hello.'))(response, call)
  })
  const listening = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', listening.resolve)
  await listening.promise
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    next: (...replies) => planned.push(...replies),
    reset() {
      calls.length = planned.length = 0
    },
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      server.closeAllConnections()
      await closed.promise
    },
  }
}

const parse = (text: string): UpstreamCall['body'] => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Protocol = 'chat' | 'responses' | 'anthropic' | 'count' | 'models' | 'embeddings'

const protocolOf = (path: string): Protocol => {
  const [name = ''] = path.split('?')
  if (name.endsWith('/chat/completions')) return 'chat'
  if (name.endsWith('/responses')) return 'responses'
  if (name.endsWith('/count_tokens')) return 'count'
  if (name.endsWith('/messages')) return 'anthropic'
  return name.endsWith('/embeddings') ? 'embeddings' : 'models'
}

export interface ToolCall {
  name: string
  args: object
}

/** A text, and the tools that it calls. */
export const says =
  (text: string, ...tools: ToolCall[]): Reply =>
  (response, { path, body }) => {
    const protocol = protocolOf(path)
    if (protocol === 'models') return json(response, { object: 'list', data: [{ id: 'a-model' }] })
    if (protocol === 'count') return json(response, { input_tokens: JSON.stringify(body).length })
    if (protocol === 'embeddings')
      return json(response, {
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
        model: 'a-model',
        usage: { prompt_tokens: 1, total_tokens: 1 },
      })
    if (!body?.stream) return json(response, BODIES[protocol](text, tools))
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.end(eventsOf(path, text, ...tools))
  }

/** The bytes of a streamed answer. */
export const eventsOf = (path: string, text: string, ...tools: ToolCall[]): string => {
  const protocol = protocolOf(path)
  if (protocol === 'responses') return responsesEvents(text, tools)
  return protocol === 'anthropic' ? anthropicEvents(text, tools) : chatEvents(text, tools)
}

/** A response of other bytes: pieces with a pause of the event loop between them. */
export const sends =
  (pieces: (string | Uint8Array)[], status = 200, headers: Record<string, string> = {}): Reply =>
  async (response) => {
    response.writeHead(status, { 'content-type': 'text/event-stream', ...headers })
    for (const piece of pieces) {
      response.write(piece)
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  }

/** The first part of a streamed answer, and then nothing. */
export const stallsAfter =
  (text: string, onSent: () => void = () => {}): Reply =>
  (response, { path }) => {
    const all = eventsOf(path, text)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(all.slice(0, all.length / 2), () => onSent())
  }

/** The first part of a streamed answer, and the end of the connection once `when` resolves. */
export const cutsAfter =
  (text: string, when: Promise<unknown>): Reply =>
  async (response, { path }) => {
    const all = eventsOf(path, text)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(all.slice(0, all.length / 2))
    await when
    response.destroy()
  }

export const hangsUp: Reply = (response) => {
  response.destroy()
}

const json = (response: ServerResponse, body: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }

const chatTools = (tools: ToolCall[]) =>
  tools.map(({ name, args }, index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }))

const responsesOutput = (text: string, tools: ToolCall[]) => [
  ...(text
    ? [
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text, annotations: [] }],
        },
      ]
    : []),
  ...tools.map(({ name, args }, index) => ({
    type: 'function_call',
    id: `fc_${index}`,
    call_id: `call_${index}`,
    name,
    arguments: JSON.stringify(args),
    status: 'completed',
  })),
]

const response = (status: string, output: unknown[], id = `resp_${crypto.randomUUID()}`) => ({
  id,
  object: 'response',
  created_at: 1,
  model: 'a-model',
  status,
  output,
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: [],
  usage: {
    input_tokens: 1,
    output_tokens: 1,
    total_tokens: 2,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  },
})

const anthropicContent = (text: string, tools: ToolCall[]) => [
  ...(text ? [{ type: 'text', text }] : []),
  ...tools.map(({ name, args }, index) => ({
    type: 'tool_use',
    id: `toolu_${index}`,
    name,
    input: args,
  })),
]

const anthropicMessage = (content: unknown[], stop_reason: string | null) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'a-model',
  content,
  stop_reason,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
})

const BODIES = {
  chat: (text: string, tools: ToolCall[]) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'a-model',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text,
          ...(tools.length && { tool_calls: chatTools(tools) }),
        },
        finish_reason: tools.length ? 'tool_calls' : 'stop',
      },
    ],
    usage: USAGE,
  }),
  responses: (text: string, tools: ToolCall[]) =>
    response('completed', responsesOutput(text, tools)),
  anthropic: (text: string, tools: ToolCall[]) =>
    anthropicMessage(anthropicContent(text, tools), tools.length ? 'tool_use' : 'end_turn'),
}

/** Two halves, so that a text arrives in several deltas. */
const halves = (text: string): string[] => {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)].filter(Boolean)
}

const chatEvents = (text: string, tools: ToolCall[]): string => {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'a-model',
    choices: [{ index: 0, delta, finish_reason }],
  })
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    ...halves(text).map((content) => chunk({ content })),
    ...chatTools(tools).map((tool) => chunk({ tool_calls: [tool] })),
    chunk({}, tools.length ? 'tool_calls' : 'stop'),
  ]
  return [...chunks.map((each) => JSON.stringify(each)), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('')
}

interface NamedEvent {
  type: string
}

const named = (events: NamedEvent[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')

const responsesEvents = (text: string, tools: ToolCall[]): string => {
  const output = responsesOutput(text, tools)
  const created = response('in_progress', [])
  const items = output.flatMap((item, output_index) => [
    {
      type: 'response.output_item.added',
      output_index,
      item: { ...item, status: 'in_progress', ...('content' in item && { content: [] }) },
    },
    ...(item.type === 'message'
      ? [
          {
            type: 'response.content_part.added',
            item_id: 'msg_1',
            output_index,
            content_index: 0,
            part: { type: 'output_text', text: '', annotations: [] },
          },
          ...halves(text).map((delta) => ({
            type: 'response.output_text.delta',
            item_id: 'msg_1',
            output_index,
            content_index: 0,
            delta,
          })),
        ]
      : []),
    { type: 'response.output_item.done', output_index, item },
  ])
  return named(
    [
      { type: 'response.created', response: created },
      ...items,
      { type: 'response.completed', response: response('completed', output, created.id) },
    ].map((event, sequence_number) => ({ ...event, sequence_number })),
  )
}

const anthropicEvents = (text: string, tools: ToolCall[]): string => {
  const blocks = anthropicContent(text, tools).flatMap((block, index) => [
    {
      type: 'content_block_start',
      index,
      content_block: 'text' in block ? { ...block, text: '' } : { ...block, input: {} },
    },
    ...('text' in block
      ? halves(text).map((piece) => ({
          type: 'content_block_delta',
          index,
          delta: { type: 'text_delta', text: piece },
        }))
      : [
          {
            type: 'content_block_delta',
            index,
            delta: { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
          },
        ]),
    { type: 'content_block_stop', index },
  ])
  return named([
    { type: 'message_start', message: anthropicMessage([], null) } as NamedEvent,
    ...blocks,
    {
      type: 'message_delta',
      delta: { stop_reason: tools.length ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 1 },
    } as NamedEvent,
    { type: 'message_stop' },
  ])
}
