import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { owned } from './owned.ts'

/** A chat completions server that streams a number of pieces, or streams until the client disconnects. */
export interface Speaker extends AsyncDisposable {
  url: string
  /** The time of the first piece of each completion, by the message. */
  firstSentAt: Map<string, number>
  /** The number of active streams. */
  speaking(): number
  /** The bytes written so far. */
  sent(): number
}

/** @param pauseMs the pause between two pieces, as of a real model. */
export const startSpeaker = async (
  pieces: number,
  piece = 'word ',
  pauseMs = 0,
): Promise<Speaker> => {
  const firstSentAt = new Map<string, number>()
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
    const [message = ''] = /Message \d+(?=\??$)/.exec(messages.at(-1)?.content ?? '') ?? []
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    await send(response, chunk({ role: 'assistant', content: '' }))
    speaking++
    response.once('close', () => {
      speaking--
    })
    const count = isConversation ? pieces : 1
    for (let i = 0; i < count && !response.destroyed; i++) {
      if (i === 0) firstSentAt.set(message, performance.now())
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
    firstSentAt,
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
