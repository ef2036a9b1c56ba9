import { isObject, type JsonObject } from '../../shared/objects.ts'

/** A request to the model. */
export interface ModelRequest {
  path: string
  headers: Headers
  body: JsonObject
}

export interface ScriptedModel extends AsyncDisposable {
  /** The base URL, which ends with `/v1`. */
  url: string
  requests: ModelRequest[]
}

/**
 * A model over HTTP whose answers are given: the Responses API, which Codex uses, and chat completions, which
 * OpenCode uses. It calls no tool.
 */
export const startScriptedModel = (reply: string | (() => string)): ScriptedModel => {
  const requests: ModelRequest[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const path = new URL(request.url).pathname
      const body: unknown = request.method === 'POST' ? await request.json() : {}
      requests.push({ path, headers: request.headers, body: isObject(body) ? body : {} })
      const text = typeof reply === 'string' ? reply : reply()
      if (path === '/v1/responses') return events(responseEvents(text))
      if (path === '/v1/chat/completions') return events([...completionChunks(text), '[DONE]'])
      return new Response('{}', { status: 404 })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    requests,
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

const events = (values: (JsonObject | string)[]): Response => {
  const lines = values.map((value) => {
    if (typeof value === 'string') return `data: ${value}\n\n`
    const name = typeof value.type === 'string' ? `event: ${value.type}\n` : ''
    return `${name}data: ${JSON.stringify(value)}\n\n`
  })
  return new Response(lines.join(''), { headers: { 'content-type': 'text/event-stream' } })
}

const responseEvents = (text: string): JsonObject[] => {
  const response = { id: `resp_${crypto.randomUUID()}` }
  const item = {
    type: 'message',
    role: 'assistant',
    id: `msg_${crypto.randomUUID()}`,
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  }
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
  return [
    { type: 'response.created', response },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
    {
      type: 'response.output_text.delta',
      item_id: item.id,
      output_index: 0,
      content_index: 0,
      delta: text,
    },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { ...response, usage } },
  ]
}

const completionChunks = (text: string): JsonObject[] => {
  const chunk = (choices: JsonObject[], fields: JsonObject = {}) => ({
    id: 'chatcmpl',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted',
    choices,
    ...fields,
  })
  const choice = (delta: JsonObject, finish_reason: string | null = null) => ({
    index: 0,
    delta,
    finish_reason,
  })
  return [
    chunk([choice({ role: 'assistant', content: text })]),
    chunk([choice({}, 'stop')]),
    chunk([], { usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }),
  ]
}
