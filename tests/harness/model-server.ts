import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json as readJson } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'

/** One request to the model server. */
export interface ModelCall {
  path: string
  headers: IncomingHttpHeaders
  // As sent, in the shape of OpenAI's chat completions; tests look into any part of it.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any
  /** Settles when the connection of this request ends before its answer did. */
  left: Promise<void>
}

/** How a call is answered. A behaviour that does not end the response leaves the caller waiting. */
export type Behaviour = (response: ServerResponse, call: ModelCall) => void | Promise<void>

/** A server of OpenAI's chat completions that does what a test says, and keeps what it was asked. */
export interface ModelServer extends AsyncDisposable {
  /** Where `/chat/completions` is. */
  url: string
  calls: ModelCall[]
  /** The next call that nobody was given yet: now or when it arrives. */
  nextCall(): Promise<ModelCall>
  /** How the next calls are answered, in this order; the rest as `always` says. */
  next(...behaviours: Behaviour[]): void
  /** How calls are answered from now on; at first they get a short answer. */
  always(behaviour: Behaviour): void
  /** Forgets what it was asked and told. */
  reset(): void
}

/** `isAside` tells which requests are none of the test's: they get an empty object and are not kept. */
export const startModelServer = async (
  port = 0,
  isAside: (body: ModelCall['body']) => boolean = () => false,
): Promise<ModelServer> => {
  const calls: ModelCall[] = []
  let given = 0
  const waiting: ((call: ModelCall) => void)[] = []
  const planned: Behaviour[] = []
  let usual: Behaviour = says('Hello.')

  const server = createServer(async (request, response) => {
    const left = Promise.withResolvers<void>()
    response.on('close', () => {
      if (!response.writableFinished) left.resolve()
    })
    const { url: path = '', headers } = request
    const body = request.method === 'POST' ? await readJson(request) : undefined
    const call = { path, headers, body, left: left.promise }
    if (body && isAside(body)) return says('{}')(response)
    calls.push(call)
    waiting.shift()?.(calls[given++] ?? call)
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
      const call = calls[given]
      if (call) {
        given++
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
      calls.length = given = planned.length = waiting.length = 0
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

/** Answers with a text in pieces. `usage: null` leaves the count out, as some servers do. */
export const says =
  (text: string | string[], usage: Counted | null = { prompt_tokens: 11, completion_tokens: 7 }) =>
  (response: ServerResponse): void => {
    begin(response)
    for (const content of pieces(text)) send(response, chunk({ content }))
    end(response, 'stop', usage)
  }

/** Says what it was asked last. */
export const echoes: Behaviour = (response, call) => {
  const { content } = call.body.messages.at(-1)
  says(typeof content === 'string' ? content : JSON.stringify(content))(response)
}

type Call = [name: string, args: unknown]

/** Calls tools, by name and arguments; a string of arguments is sent as it stands. */
export const calls = (...tools: Call[]): Behaviour => saysAndCalls('', ...tools)

/** Says something and then calls tools. */
export const saysAndCalls =
  (text: string, ...tools: Call[]): Behaviour =>
  (response) => {
    begin(response)
    if (text) send(response, chunk({ content: text }))
    tools.forEach(([name, args], index) => {
      const id = `call_${index}_${name}`
      send(response, chunk({ tool_calls: [toolCall(index, { id, name, arguments: '' })] }))
      const given = typeof args === 'string' ? args : JSON.stringify(args)
      send(response, chunk({ tool_calls: [toolCall(index, { arguments: given })] }))
    })
    end(response, 'tool_calls', { prompt_tokens: 11, completion_tokens: 7 })
  }

/** Answers an error, as OpenAI words it. */
export const fails =
  (status: number, headers: Record<string, string> = {}, message = `status ${status}`): Behaviour =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error: { message, type: 'error', param: null, code: null } }))
  }

/** Says this much and then nothing, until the caller leaves; nothing at all without a text. */
export const stalls =
  (text: string | string[] = []): Behaviour =>
  (response) => {
    if (text.length === 0) return
    begin(response)
    for (const content of pieces(text)) send(response, chunk({ content }))
  }

/** Says the same again and again until the caller leaves. */
export const repeats =
  (text: string): Behaviour =>
  async (response) => {
    begin(response)
    let isLeft = false
    response.on('close', () => {
      isLeft = true
    })
    while (!isLeft) {
      send(response, chunk({ content: text }))
      await setImmediate()
    }
  }

/** Keeps the connection alive with comments, and says nothing. */
export const onlyComments: Behaviour = (response) => {
  begin(response)
  const timer = setInterval(() => response.write(': working\n\n'), 10)
  response.on('close', () => clearInterval(timer))
}

/** Says this much, and drops the connection when told to. */
export const breaksOff =
  (text: string | string[], when: Promise<void>): Behaviour =>
  async (response) => {
    begin(response)
    for (const content of pieces(text)) send(response, chunk({ content }))
    await when
    response.destroy()
  }

/** Takes the request and drops the connection. */
export const hangsUp: Behaviour = (response) => {
  response.destroy()
}

/** Says this much, and ends as if that were all, with no reason given. */
export const endsEarly =
  (text: string | string[]): Behaviour =>
  (response) => {
    begin(response)
    for (const content of pieces(text)) send(response, chunk({ content }))
    response.end()
  }

/** Sends these events after the text, which may be anything. */
export const sendsRaw =
  (events: string[], text: string | string[] = []): Behaviour =>
  (response) => {
    begin(response)
    for (const content of pieces(text)) send(response, chunk({ content }))
    for (const event of events) response.write(`data: ${event}\n\n`)
    response.end()
  }

/** Answers something that is no stream of events. */
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
