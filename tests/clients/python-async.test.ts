import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { hasPrograms } from '../harness/programs.ts'
import { pythonResult } from './python.ts'
import { ME } from './python-call.ts'
import { events, isSilent, type Reply, says, startScripted, starts } from './scripted-server.ts'

setDefaultTimeout(120_000)

const delta = (text: string): [string, unknown] => ['delta', { text }]

/** Answers by the path and the text of a request. */
const start = async () => {
  const closed: string[] = []
  const pages: Record<string, unknown> = {
    '/api/memories': { memories: [{ content_text: 'a' }, { content_text: 'b' }], next_cursor: '2' },
    '/api/memories?cursor=2': { memories: [{ content_text: 'c' }], next_cursor: null },
    '/api/me': ME,
  }
  const streams: Reply = async (response, received) => {
    const { message } = JSON.parse(received.body)
    response.on('close', () => closed.push(message))
    const first = events(['start', { session_id: 's' }], delta('One '))
    if (message !== 'Hello')
      return starts(
        'text/event-stream',
        first,
        message === 'cut' ? 'cut' : 'silent',
      )(response, received)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(first)
    await Bun.sleep(300)
    response.end(events(delta('two.'), ['done', { message: {} }]))
  }
  const reply: Reply = (response, received) => {
    const { path, body } = received
    if (path in pages) return says(200, pages[path])(response, received)
    if (path === '/api/memories/gone')
      return says(404, { detail: 'Memory not found' })(response, received)
    if (path === '/api/recall') {
      const { query } = JSON.parse(body)
      return query === 'wait'
        ? says(429, { detail: 'Too many' }, { 'retry-after': '20' })(response, received)
        : says(200, { memories: [], count: Number(query) })(response, received)
    }
    if (received.headers.accept === 'text/event-stream') return streams(response, received)
    response.on('close', () => closed.push('silent'))
    return isSilent(response, received)
  }
  const server = await startScripted(reply)
  return { server, closed, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}

describe.skipIf(!hasPrograms('python3'))('the Python client for asyncio', () => {
  const ways: [way: string, title: string, closed: string[]][] = [
    [
      'calls',
      'calls run at the same time, pages follow each other, and errors have their classes',
      [],
    ],
    ['stream', 'a stream arrives while other tasks go on', ['Hello', 'Hello', 'cut']],
    ['cancel_call', 'a cancelled call closes its connection', ['silent', 'silent', 'silent']],
    ['cancel_stream', 'a cancelled stream closes its connection', ['silent', 'silent', 'silent']],
    ['cancel_retry', 'a cancelled call ends the wait for a retry', []],
    ['leave', 'a stream that is left closes its connection', ['silent', 'silent']],
  ]
  for (const [way, title, closed] of ways)
    test(title, async () => {
      await using started = await start()
      expect(await pythonResult('asynchronous.py', { args: [started.server.url, way] })).toBe(
        'done',
      )
      expect(started.closed).toEqual(closed)
    })
})
