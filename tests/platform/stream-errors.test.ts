import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { newVerifiedUser, runSql } from '../harness/http.ts'
import { request, startServer } from '../harness/server.ts'

setDefaultTimeout(120_000)

const SSE = { accept: 'text/event-stream' }

describe('an internal error before the first event of a stream', () => {
  const cases = [
    ['POST /api/chat/stream', '/api/chat/stream', { message: 'x' }],
    ['POST /api/talk/stream', '/api/talk/stream', { message: 'x' }],
    [
      'POST /api/chat/regenerate with Accept: text/event-stream',
      '/api/chat/regenerate',
      { message: 'x' },
    ],
  ] as const

  for (const [name, path, body] of cases)
    test(`an internal error of ${name} is a logged 500 with the path`, async () => {
      await using server = await startServer()
      const user = await newVerifiedUser(server)
      const { body: session } = await request(server, 'POST', '/api/sessions', {
        token: user.key,
        body: { title: 'x' },
      })
      await runSql(
        server.database,
        'drop table chat_messages cascade',
        'drop table agent_exchanges cascade',
      )
      const regenerated = path.endsWith('regenerate') && { session_id: session.id }
      const answer = await request(server, 'POST', path, {
        token: user.key,
        headers: SSE,
        body: { ...body, ...regenerated },
      })
      expect([answer.status, answer.body]).toEqual([500, { detail: 'Internal server error', path }])
      const id = answer.headers.get('x-request-id')
      const logged = server.log.map((line) => JSON.parse(line))
      const found = logged.filter((line) => line.request_id === id).map(({ msg }) => msg)
      expect(found).toContain('request failed')
    })
})
