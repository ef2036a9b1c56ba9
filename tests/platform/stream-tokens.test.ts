import { describe, expect, test } from 'bun:test'
import { contract, isStream } from '../../shared/contract/index.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { request, type TestUser, useServer } from '../harness/server.ts'

const server = useServer()
let user: Promise<TestUser> | undefined
const newUserId = () => {
  user ??= newVerifiedUser(server.current)
  return user
}

const streams = contract.filter(({ success: [, answer], streamed }) => {
  const stream = streamed ?? (isStream(answer) ? answer : undefined)
  return stream?.stream.type === 'text/event-stream'
})
const send = (path: string, token: string) =>
  request(server.current, 'POST', `${path}?token=${token}`, {
    headers: { accept: 'text/event-stream' },
    body: { message: 'x', session_id: undefined },
  })

test('the contract has streams to check', () => {
  expect(streams.map(({ path }) => path)).toContain('/api/talk/stream')
})

for (const { path } of streams)
  describe(`the query parameter token of ${path}`, () => {
    test('an access token is accepted', async () => {
      const { accessToken } = await newUserId()
      const { status } = await send(path, accessToken)
      expect(status).not.toBe(401)
      expect(status).toBeLessThan(500)
    })

    test('an API key is refused', async () => {
      const { key } = await newUserId()
      const answer = await send(path, key)
      expect([answer.status, answer.body]).toEqual([
        401,
        { detail: 'Could not validate credentials' },
      ])
    })
  })
