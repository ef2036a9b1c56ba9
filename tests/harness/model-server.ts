import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json as readJson } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'

/** One request to the model server. */
export interface ModelCall {
  path: string
  headers: IncomingHttpHeaders
  // As sent, in the shape of OpenAI's chat completions; tests read any part of it.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any
  /** Settles when the connection of this request closes before the response ends. */
  disconnected: Promise<void>
}

/** How a call is answered. A behaviour that does not end the response keeps the caller waiting. */
export type Behaviour = (response: ServerResponse, call: ModelCall) => void | Promise<void>

/** A server of OpenAI's chat completions that answers as a test sets, and records its calls. */
export interface ModelServer extends AsyncDisposable {
  /** The base URL of `/chat/completions`. */
  url: string
  calls: ModelCall[]
  /** The next call that `nextCall` has not returned yet: now or when it arrives. */
  nextCall(): Promise<ModelCall>
  /** How the next calls are answered, in this order; later ones as `always` sets. */
  next(...behaviours: Behaviour[]): void
  /** How calls are answered from now on; the default is a short answer. */
  always(behaviour: Behaviour): void
  /** Forgets the recorded calls and the set behaviours. */
  reset(): void
}

/** `aside` answers requests that the test did not cause, which are not recorded; undefined: it did. */
export const startModelServer = async (
  port = 0,
  aside: (body: ModelCall['body']) => string | undefined = () => undefined,
): Promise<ModelServer> => {
  const calls: ModelCall[] = []
  let returned = 0
  const waiting: ((call: ModelCall) => void)[] = []
  const planned: Behaviour[] = []
  let usual: Behaviour = says('Hello.')

  const server = createServer(async (request, response) => {
    const disconnected = Promise.withResolvers<void>()
    response.on('close', () => {
      if (!response.writableFinished) disconnected.resolve()
    })
    const { url: path = '', headers } = request
    const body = request.method === 'POST' ? await readJson(request) : undefined
    const call = { path, headers, body, disconnected: disconnected.promise }
    const unrelated = body ? aside(body) : undefined
    if (unrelated !== undefined) return says(unrelated)(response)
    calls.push(call)
    waiting.shift()?.(calls[returned++] ?? call)
    if (path !== '/v1/chat/completions') return fails(404)(response, call)
    await (planned.shift() ?? usual)(response, call)
  })
  const listening = Promise.withResolvers<void>()
  server.listen(port, '127.0.0.1', listening.resolve)
  await listening.promise

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    nextCall() {
      const call = calls[returned]
      if (call) {
        returned++
        return Promise.resolve(call)
      }
      const { promise, resolve } = Promise.withResolvers<ModelCall>()
      waiting.push(resolve)
      return promise
    },

    next(...behaviours) {
      planned.push(...behaviours)
    },
    always(behaviour) {
      usual = behaviour
    },
    reset() {
      calls.length = returned = planned.length = waiting.length = 0
      usual = says('Hello.')
    },
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      server.closeAllConnections()
      await closed.promise
    },
  }
}

export interface Counted {
  prompt_tokens: number
  completion_tokens: number
}

/** Answers with a text in pieces. `usage: null` omits the token counts, as some servers do. */
export const says =
  (text: string | string[], usage: Counted | null = { prompt_tokens: 11, completion_tokens: 7 }) =>
  (response: ServerResponse): void => {
    begin(response)
    for (const content of pieces(text)) send(response, chunk({ content }))
    end(response, 'stop', usage)
  }

/** Answers with the last message. */
export const echoes: Behaviour = (response, call) => {
  const { content } = call.body.messages.at(-1)
  says(typeof content === 'string' ? content : JSON.stringify(content))(response)
}

type Call = [name: string, args: unknown]

/** Calls tools, by name and arguments; a string of arguments is sent unchanged. */
export const calls = (...tools: Call[]): Behaviour => saysAndCalls('', ...tools)

/** Answers with text, then calls tools. */
export const saysAndCalls =
  (text: string, ...tools: Call[]): Behaviour =>
  (response) => {
    begin(response)
    if (text) send(response, chunk({ content: text }))
    tools.forEach(([name, args], index) => {
      const id = `call_${index}_${name}`
      send(response, chunk({ tool_calls: [toolCall(index, { id, name, arguments: '' })] }))
      const json = typeof args === 'string' ? args : JSON.stringify(args)
      send(response, chunk({ tool_calls: [toolCall(index, { arguments: json })] }))
    })
    end(response, 'tool_calls', { prompt_tokens: 11, completion_tokens: 7 })
  }

/** Answers with an error in OpenAI's format. */
export const fails =
  (status: number, headers: Record<string, string> = {}, message = `status ${status}`): Behaviour =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error: { message, type: 'error', param: null, code: null } }))
  }

/** Sends the text, then nothing until the caller disconnects; without a text nothing at all. */
export const stalls =
  (text: string | string[] = []): Behaviour =>
  (response) => {
    if (text.length === 0) return
    begin(response)
    for (const content of pieces(text)) send(response, chunk({ content }))
  }

/** Repeats a text until the caller disconnects. */
export const repeats =
  (text: string): Behaviour =>
  async (response) => {
    begin(response)
    let isDisconnected = false
    response.on('close', () => {
      isDisconnected = true
    })
    while (!isDisconnected) {
      send(response, chunk({ content: text }))
      await setImmediate()
    }
  }

/** Writes a raw text again and again, as fast as the caller reads, until the caller disconnects. */
export const floods =
  (text: string, { status = 200, type = 'text/event-stream' } = {}): Behaviour =>
  async (response) => {
    const closed = Promise.withResolvers<void>()
    response.on('close', closed.resolve)
    response.writeHead(status, { 'content-type': type })
    while (!response.destroyed) {
      const isDrained = response.write(text)
      const next = isDrained ? setImmediate() : once(response, 'drain')
      await Promise.race([next, closed.promise])
    }
  }

/** One event of a completion, as it is sent. */
export const eventOf = (delta: Record<string, unknown>): string =>
  `data: ${JSON.stringify(chunk(delta))}\n\n`

/** Keeps the connection alive with comments, and sends no text. */
export const onlyComments: Behaviour = (response) => {
  begin(response)
  const timer = setInterval(() => response.write(': working\n\n'), 10)
  response.on('close', () => clearInterval(timer))
}

/** Sends the text, and drops the connection once `when` resolves. */
export const breaksOff =
  (text: string | string[], when: Promise<void>): Behaviour =>
  async (response) => {
    begin(response)
    for (const content of pieces(text)) send(response, chunk({ content }))
    await when
    response.destroy()
  }

/** Drops the connection after the request. */
export const hangsUp: Behaviour = (response) => {
  response.destroy()
}

/** Sends the text, and ends the response without a finish reason. */
export const endsEarly =
  (text: string | string[]): Behaviour =>
  (response) => {
    begin(response)
    for (const content of pieces(text)) send(response, chunk({ content }))
    response.end()
  }

/** Sends these raw events after the text. */
export const sendsRaw =
  (events: string[], text: string | string[] = []): Behaviour =>
  (response) => {
    begin(response)
    for (const content of pieces(text)) send(response, chunk({ content }))
    for (const event of events) response.write(`data: ${event}\n\n`)
    response.end()
  }

/** Answers with a body that is not an event stream. */
export const answers =
  (body: string, type = 'application/json'): Behaviour =>
  (response) => {
    response.writeHead(200, { 'content-type': type })
    response.end(body)
  }

const pieces = (text: string | string[]) => (typeof text === 'string' ? [text] : text)

const begin = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  send(response, chunk({ role: 'assistant', content: '' }))
}

const send = (response: ServerResponse, event: unknown): void => {
  response.write(`data: ${JSON.stringify(event)}\n\n`)
}

const end = (response: ServerResponse, reason: string, usage: Counted | null): void => {
  send(response, chunk({}, reason))
  if (usage) {
    const total_tokens = usage.prompt_tokens + usage.completion_tokens
    send(response, { ...chunk({}), choices: [], usage: { ...usage, total_tokens } })
  }
  response.end('data: [DONE]\n\n')
}

const chunk = (delta: Record<string, unknown>, finish_reason: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'a-model',
  choices: [{ index: 0, delta, finish_reason }],
})

const toolCall = (
  index: number,
  { id, ...called }: { id?: string; name?: string; arguments: string },
) => ({ index, ...(id && { id, type: 'function' }), function: called })
