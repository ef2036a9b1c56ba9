import { describe, expect, test } from 'bun:test'
import { useConversation } from '../conversation/support.ts'
import { stalls } from '../harness/model-server.ts'
import { newUser, request } from '../harness/server.ts'
import { callMessage } from './client.ts'
import { letIn } from './oauth-support.ts'

const suite = useConversation()

const post = (token: string, body: unknown, headers: Record<string, string> = {}) =>
  request(suite.server, 'POST', '/api/mcp', {
    token,
    body,
    headers: { accept: 'application/json, text/event-stream', ...headers },
  })

const message = (id: number, method: string, params: object) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

describe('an authenticated attacker', () => {
  test('an authenticated attacker cannot read API endpoints through memory resource URIs', async () => {
    const { key } = await newUser(suite.server)
    await post(key, callMessage(1, 'remember', { content: 'The heron is called Otto.' }))
    for (const name of ['export', '..', '.', '%2e%2e', '..%2Fme', '', ' ', 'x'.repeat(5_000)]) {
      const uri = `svc://memories/${name}`
      const { text } = await post(key, message(2, 'resources/read', { uri }))
      expect([name, text.includes('not found')]).toEqual([name, true])
      expect(text).not.toContain('Otto')
    }
  })

  test('an authenticated attacker cannot block the server with a deeply nested message', async () => {
    const { key } = await newUser(suite.server)
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    const call = (depth: number) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":{"query":"[[[\\"[{","x":${nested(depth)}}}}`
    for (const headers of [{}, { 'mcp-session-id': 'mine' }])
      for (const body of [call(50_000), call(200), '['.repeat(900_000)]) {
        const answer = await post(key, body, headers)
        expect([answer.status, answer.body]).toEqual([
          400,
          {
            jsonrpc: '2.0',
            id: null,
            error: { code: -32700, message: 'Parse error: JSON is nested too deeply' },
          },
        ])
      }
    const brackets = callMessage(1, 'recall', { query: '[{'.repeat(1_000) })
    expect((await post(key, brackets)).status).toBe(200)
  })

  test('an authenticated attacker cannot cancel the calls of another user by session and request id', async () => {
    const [ada, bob] = [await newUser(suite.server), await newUser(suite.server)]
    const program = await letIn(suite.server, ada)
    suite.model.next(stalls('Once upon a time'))
    const session = { 'mcp-session-id': 'the session of Ada', 'mcp-protocol-version': '2025-11-25' }
    const cancelled = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 7 },
    }
    let isOver = false
    const talking = post(ada.key, callMessage(7, 'talk', { message: 'A story.' }), session)
    talking.finally(() => {
      isOver = true
    })
    const call = await suite.model.nextCall()
    for (const token of [bob.key, bob.accessToken, program.access])
      expect((await post(token, cancelled, session)).status).toBe(202)
    expect((await post(ada.key, cancelled, { ...session, 'mcp-session-id': 'x' })).status).toBe(202)
    expect(isOver).toBe(false)
    await post(ada.key, cancelled, session)
    await call.disconnected
    await talking
  })
})
