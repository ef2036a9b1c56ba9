import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { owned } from './owned.ts'

/** A server of OpenAI's chat completions that says so many pieces, or goes on until nobody listens. */
export interface Speaker extends AsyncDisposable {
  url: string
  /** When the first piece of the answer to a message was sent, by the message. */
  saidAt: Map<string, number>
  /** How many answers are under way. */
  speaking(): number
  /** Bytes that were taken from it. */
  sent(): number
}

/** @param pauseMs between two pieces, as long as a model takes to think of them. */
export const startSpeaker = async (
  pieces: number,
  piece = 'word ',
  pauseMs = 0,
): Promise<Speaker> => {
  const saidAt = new Map<string, number>()
  let speaking = 0
  let sent = 0

  const send = async (response: ServerResponse, event: unknown) => {
    const text = typeof event === 'string' ? event : JSON.stringify(event)
    const frame = `data: ${text}\n\n`
    sent += frame.length
    if (!response.write(frame))
      await Promise.race([once(response, 'drain'), once(response, 'close')])
  }

  const speak = async (request: IncomingMessage, response: ServerResponse) => {
    const { messages } = (await json(request)) as { messages: { content: string }[] }
    const isConversation = messages[0]?.content.startsWith('You are svc')
    const [asked = ''] = /Message \d+(?=\??$)/.exec(messages.at(-1)?.content ?? '') ?? []
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    await send(response, chunk({ role: 'assistant', content: '' }))
    speaking++
    response.once('close', () => {
      speaking--
    })
    const count = isConversation ? pieces : 1
    for (let said = 0; said < count && !response.destroyed; said++) {
      if (said === 0) saidAt.set(asked, performance.now())
      await send(response, chunk({ content: isConversation ? piece : '{}' }))
      await (pauseMs ? Bun.sleep(pauseMs) : new Promise((resolve) => setImmediate(resolve)))
    }
    await send(response, chunk({}, 'stop'))
    response.end('data: [DONE]\n\n')
  }

  const server = createServer((request, response) => void speak(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    server.close()
    server.closeAllConnections()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    saidAt,
    speaking: () => speaking,
    sent: () => sent,
    ...owned(stop),
  }
}

const chunk = (delta: Record<string, unknown>, finish_reason: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'bench',
  choices: [{ index: 0, delta, finish_reason }],
})
